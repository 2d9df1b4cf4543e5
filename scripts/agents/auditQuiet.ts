import { AuditFolder } from '../../src/adapters/auditFile.js';
import { clock, hasher } from '../../src/adapters/system.js';

/** Whether sessions were recorded, every chain holds, and none of them has an alarm. */
export function isAuditQuiet(folder: string): boolean {
  const audits = new AuditFolder(folder, { hasher, clock });
  const reports = audits.sessions().map(({ sessionId }) => audits.verify(sessionId));
  return (
    reports.length > 0 &&
    reports.every(({ faults, records }) => faults.length === 0 && records.every(({ type }) => type !== 'alarm'))
  );
}
