import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Settings of every profile that is made here: quiet, and nothing goes out. */
const SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'update.mode': 'none',
  // The folder that is opened is our own copy of the sample, or of a test.
  'security.workspace.trust.enabled': false,
};

/**
 * Makes a user data folder of VS Code ready. Settings that a person has changed in it are left alone.
 * The chat offers our models without an account anywhere, as "Chat: Manage Language Models, Add Models" would make it.
 */
export function prepareProfile(
  userData: string,
  settings: Readonly<Record<string, unknown>> = {},
  models: readonly string[] = [],
): void {
  const write = (name: string, value: unknown): void => {
    const file = path.join(userData, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(value, null, 2));
  };
  write('User/settings.json', { ...SETTINGS, ...settings });
  // Where the files are on a server, settings of the machine are read from here.
  write('Machine/settings.json', settings);
  write('User/chatLanguageModels.json', [
    { name: 'Lacuna', vendor: 'lacuna' },
    ...models.map((vendor) => ({ name: vendor, vendor })),
  ]);
}
