/** A process of its own that asks for the key in each of many folders, and prints them: `keyReader FOLDER TIMES STARTMS`. */
import { ownKey } from '../../src/adapters/stateFolder.js';

const [folder = '', times = '0', startMs = '0'] = process.argv.slice(2);
while (Date.now() < Number(startMs)); // so that all begin at once
for (let at = 0; at < Number(times); at++) process.stdout.write(`${ownKey(`${folder}/${String(at)}/key`)} `);
