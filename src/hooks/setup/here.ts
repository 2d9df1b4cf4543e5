import os from 'node:os';
import type { Platform } from '../../core/effects/facts.js';
import type { SetUpPlace } from './agents.js';

/** This machine and this person, as the agents' own settings see them. `launcher`: our start script in the state folder. */
export const placeHere = (launcher: string, platform: Platform): SetUpPlace => ({
  platform,
  home: os.homedir().replaceAll('\\', '/'),
  environment: (name) => {
    const value = process.env[name];
    return value === undefined || value === '' ? null : value;
  },
  launcher,
});
