/** A process of its own that appends twenty lines to a shared audit: `auditWriter FOLDER NAME`. */
import { AuditFolder } from '../../src/adapters/auditFile.js';
import { clock, hasher } from '../../src/adapters/system.js';

const [folder = '', name = ''] = process.argv.slice(2);
const sink = new AuditFolder(folder, { hasher, clock }).open('shared');
void (async () => {
  for (let at = 0; at < 20; at++) await sink.append({ type: 'failure', lacunaId: null, what: `${name} ${String(at)}` });
})();
