import type { ProgramEntry } from '../run.js';
import { amazonPrograms } from './cloud/amazon.js';
import { azurePrograms } from './cloud/azure.js';
import { backupPrograms } from './cloud/backup.js';
import { codeHostPrograms } from './cloud/codeHosts.js';
import { googlePrograms } from './cloud/google.js';
import { hostingPrograms } from './cloud/hosting.js';
import { infrastructurePrograms } from './cloud/infrastructure.js';
import { otherServicePrograms } from './cloud/others.js';
import { secretStorePrograms } from './cloud/secrets.js';

/** Command lines of services, all of them data for one engine (`cloud/service.ts`). */
export const cloudPrograms: readonly ProgramEntry[] = [
  ...amazonPrograms,
  ...azurePrograms,
  ...googlePrograms,
  ...hostingPrograms,
  ...codeHostPrograms,
  ...infrastructurePrograms,
  ...secretStorePrograms,
  ...backupPrograms,
  ...otherServicePrograms,
];
