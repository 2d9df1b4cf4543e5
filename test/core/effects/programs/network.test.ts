import { clientPrograms } from '../../../../src/core/effects/shell/programs/network/clients.js';
import { curlPrograms } from '../../../../src/core/effects/shell/programs/network/curl.js';
import { ftpPrograms } from '../../../../src/core/effects/shell/programs/network/ftp.js';
import { httpiePrograms } from '../../../../src/core/effects/shell/programs/network/httpie.js';
import { lookupPrograms } from '../../../../src/core/effects/shell/programs/network/lookup.js';
import { netcatPrograms } from '../../../../src/core/effects/shell/programs/network/netcat.js';
import { opensslPrograms } from '../../../../src/core/effects/shell/programs/network/openssl.js';
import { sshPrograms } from '../../../../src/core/effects/shell/programs/network/ssh.js';
import { tunnelPrograms } from '../../../../src/core/effects/shell/programs/network/tunnel.js';
import { wgetPrograms } from '../../../../src/core/effects/shell/programs/network/wget.js';
import { describeCases } from './support.js';

describeCases('network programs', new URL('./network.cases.yaml', import.meta.url), [
  ...clientPrograms,
  ...curlPrograms,
  ...wgetPrograms,
  ...httpiePrograms,
  ...netcatPrograms,
  ...sshPrograms,
  ...lookupPrograms,
  ...ftpPrograms,
  ...opensslPrograms,
  ...tunnelPrograms,
]);
