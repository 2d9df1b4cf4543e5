import { cloudPrograms } from '../../../../src/core/effects/shell/programs/cloud.js';
import { describeCases } from './support.js';

describeCases('services', new URL('./cloud.cases.yaml', import.meta.url), cloudPrograms);
