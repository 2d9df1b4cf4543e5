import { desktopPrograms } from '../../../../src/core/effects/shell/programs/system/desktop.js';
import { diskPrograms } from '../../../../src/core/effects/shell/programs/system/disks.js';
import { processPrograms } from '../../../../src/core/effects/shell/programs/system/processes.js';
import { servicePrograms } from '../../../../src/core/effects/shell/programs/system/services.js';
import { describeCases } from './support.js';

describeCases('system', new URL('./system.cases.yaml', import.meta.url), [
  ...processPrograms,
  ...diskPrograms,
  ...servicePrograms,
  ...desktopPrograms,
]);
