import { git } from '../../../../src/core/effects/shell/programs/git.js';
import { describeCases } from './support.js';

describeCases('git', new URL('./git.cases.yaml', import.meta.url), git);
