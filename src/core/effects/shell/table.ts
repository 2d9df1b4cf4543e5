import type { ProgramEntry } from './run.js';
import { filePrograms } from './programs/files.js';
import { git } from './programs/git.js';
import { buildPrograms } from './programs/build.js';
import { documentPrograms } from './programs/documents.js';
import { otherSystems } from './programs/git/otherSystems.js';
import { interpreters } from './programs/interpreters.js';
import { makePrograms } from './programs/make.js';
import { npmPrograms } from './programs/packages/npm.js';
import { pythonPackagePrograms } from './programs/packages/python.js';
import { systemPackagePrograms } from './programs/packages/systemPackages.js';
import { toolchainPrograms } from './programs/packages/toolchains.js';
import { cloudPrograms } from './programs/cloud.js';
import { dockerPrograms } from './programs/containers/docker.js';
import { kubernetesPrograms } from './programs/containers/kubernetes.js';
import { consolePrograms } from './programs/data/consoles.js';
import { migrationPrograms } from './programs/data/migrations.js';
import { sqlPrograms } from './programs/data/sql.js';
import { storePrograms } from './programs/data/stores.js';
import { clientPrograms } from './programs/network/clients.js';
import { curlPrograms } from './programs/network/curl.js';
import { ftpPrograms } from './programs/network/ftp.js';
import { httpiePrograms } from './programs/network/httpie.js';
import { lookupPrograms } from './programs/network/lookup.js';
import { netcatPrograms } from './programs/network/netcat.js';
import { opensslPrograms } from './programs/network/openssl.js';
import { sshPrograms } from './programs/network/ssh.js';
import { tunnelPrograms } from './programs/network/tunnel.js';
import { desktopPrograms } from './programs/system/desktop.js';
import { diskPrograms } from './programs/system/disks.js';
import { processPrograms } from './programs/system/processes.js';
import { servicePrograms } from './programs/system/services.js';
import { wgetPrograms } from './programs/network/wget.js';
import { registryPrograms } from './programs/windows/registry.js';
import { windowsShells } from './programs/windows/shells.js';
import { windowsPrograms } from './programs/windows/system.js';

/** All programs, each with its names. A new one is a file in `programs/` and a line here. */
export const ENTRIES: readonly ProgramEntry[] = [
  ...filePrograms,
  ...git,
  ...otherSystems,
  ...buildPrograms,
  ...documentPrograms,
  ...interpreters,
  ...makePrograms,
  ...npmPrograms,
  ...pythonPackagePrograms,
  ...systemPackagePrograms,
  ...toolchainPrograms,
  ...cloudPrograms,
  ...dockerPrograms,
  ...kubernetesPrograms,
  ...migrationPrograms,
  ...consolePrograms,
  ...sqlPrograms,
  ...storePrograms,
  ...clientPrograms,
  ...curlPrograms,
  ...ftpPrograms,
  ...httpiePrograms,
  ...lookupPrograms,
  ...netcatPrograms,
  ...opensslPrograms,
  ...sshPrograms,
  ...tunnelPrograms,
  ...wgetPrograms,
  ...desktopPrograms,
  ...diskPrograms,
  ...processPrograms,
  ...servicePrograms,
  ...windowsShells,
  ...windowsPrograms,
  ...registryPrograms,
];

/** Programs by each of their names. */
export const PROGRAMS: ReadonlyMap<string, ProgramEntry> = new Map(
  ENTRIES.flatMap((entry) => entry.names.map((name): [string, ProgramEntry] => [name, entry])),
);
