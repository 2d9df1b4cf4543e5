import { buildPrograms } from '../../../../src/core/effects/shell/programs/build.js';
import { makePrograms } from '../../../../src/core/effects/shell/programs/make.js';
import { npmPrograms } from '../../../../src/core/effects/shell/programs/packages/npm.js';
import { pythonPackagePrograms } from '../../../../src/core/effects/shell/programs/packages/python.js';
import { systemPackagePrograms } from '../../../../src/core/effects/shell/programs/packages/systemPackages.js';
import { toolchainPrograms } from '../../../../src/core/effects/shell/programs/packages/toolchains.js';
import { describeCases } from './support.js';

describeCases('packages and builds', new URL('./packages.cases.yaml', import.meta.url), [
  ...npmPrograms,
  ...pythonPackagePrograms,
  ...systemPackagePrograms,
  ...toolchainPrograms,
  ...buildPrograms,
  ...makePrograms,
]);
