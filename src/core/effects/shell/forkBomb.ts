import type { Emission } from './run.js';

/** How the start of a process is said that starts more of itself without end. */
export const FORK_BOMB: Emission = {
  traits: ['catastrophic'],
  reversible: 'no',
  note: 'starts itself again and again until the machine stands still',
};
