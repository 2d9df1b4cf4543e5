import { interpreters } from '../../../../src/core/effects/shell/programs/interpreters.js';
import { describeCases } from './support.js';

describeCases('interpreters', new URL('./interpreters.cases.yaml', import.meta.url), interpreters);
