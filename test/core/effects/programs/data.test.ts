import { consolePrograms } from '../../../../src/core/effects/shell/programs/data/consoles.js';
import { migrationPrograms } from '../../../../src/core/effects/shell/programs/data/migrations.js';
import { sqlPrograms } from '../../../../src/core/effects/shell/programs/data/sql.js';
import { storePrograms } from '../../../../src/core/effects/shell/programs/data/stores.js';
import { describeCases } from './support.js';

describeCases('databases', new URL('./data.cases.yaml', import.meta.url), [
  ...sqlPrograms,
  ...storePrograms,
  ...migrationPrograms,
  ...consolePrograms,
]);
