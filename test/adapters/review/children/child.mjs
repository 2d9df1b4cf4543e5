// Stands in for the model's process. What it does is told by the name of the model file, so that it can also fail to load.
import { basename } from 'node:path';

const manner = { name: '', reviews: 0 };
const say = (message) => process.send(message);
const verdict = (id, approve, mass = 0.99, memoryMiB = 100) =>
  say({
    type: 'verdict',
    id,
    probabilities: { approve, flag: 1 - approve, reject: 0 },
    mass,
    memoryMiB,
  });
const hang = () => {
  for (;;);
};

const fillHeap = () => {
  const kept = [];
  for (;;) kept.push({ number: kept.length, text: `${kept.length}` });
};

const loads = {
  'hangs-loading': hang,
  'dies-loading': () => process.exit(3),
  'no-engine': () => say({ type: 'failed', id: null, why: 'missing', message: 'Cannot find package' }),
  truncated: () => say({ type: 'failed', id: null, why: 'model', message: 'Failed to load model' }),
  babbles: () => say('blah blah'),
};

const reviews = {
  hangs: hang,
  dies: () => process.exit(1),
  killed: () => process.kill(process.pid, 'SIGKILL'),
  'fills-memory': ({ id }) => verdict(id, 0.99, 0.99, 99_999),
  garbage: () => say({ type: 'verdict', approve: 'yes' }),
  'off-topic': ({ id }) => verdict(id, 0.4, 0.02),
  'too-long': ({ id }) => say({ type: 'failed', id, why: 'other', message: 'The proposal is too long.' }),
  'other-id': () => say({ type: 'reason', id: 0, json: '' }),
  flags: ({ id }) => {
    verdict(id, 0.1);
    say({ type: 'reason', id, json: '{"verdict":"flag","reason":"other-target"}' });
  },
  'bad-reason': ({ id }) => {
    verdict(id, 0.1);
    say({ type: 'reason', id, json: '{"verdict":"flag","reason":"because I' });
  },
  'no-reason': ({ id }) => {
    verdict(id, 0.1);
    hang();
  },
  'runs-out-of-memory': fillHeap,
  'hangs-second': ({ id }) => (manner.reviews > 1 ? hang() : verdict(id, 0.9)),
};

process.on('message', (message) => {
  if (message.type === 'load') {
    manner.name = basename(message.path, '.gguf');
    (loads[manner.name] ?? (() => say({ type: 'loaded', model: 'fake', memoryMiB: 100 })))();
    return;
  }
  manner.reviews += 1;
  (reviews[manner.name] ?? (({ id }) => verdict(id, 0.95)))(message);
});
process.on('disconnect', () => process.exit(0));
