import { otherSystems } from '../../../../src/core/effects/shell/programs/git/otherSystems.js';
import { describeCases } from './support.js';

describeCases('other version control', new URL('./otherSystems.cases.yaml', import.meta.url), otherSystems);
