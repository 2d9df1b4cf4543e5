import { dockerPrograms } from '../../../../src/core/effects/shell/programs/containers/docker.js';
import { kubernetesPrograms } from '../../../../src/core/effects/shell/programs/containers/kubernetes.js';
import { describeCases } from './support.js';

describeCases('containers and clusters', new URL('./containers.cases.yaml', import.meta.url), [
  ...dockerPrograms,
  ...kubernetesPrograms,
]);
