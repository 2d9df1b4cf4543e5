import { documentPrograms } from '../../../../src/core/effects/shell/programs/documents.js';
import { describeCases } from './support.js';

describeCases('documents', new URL('./documents.cases.yaml', import.meta.url), documentPrograms);
