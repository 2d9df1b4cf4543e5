/** What the editor says of the switches on which its agents' hooks depend. Undefined: the editor does not know the setting. */
export interface HookSwitches {
  readonly useHooks: boolean | undefined;
  readonly plugins: boolean | undefined;
  readonly managedOnly: boolean | undefined;
  readonly allOff: boolean | undefined;
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
}

/** A switch because of which the built-in agent's calls do not reach the gate. */
export type HookTrouble = 'hooks-off' | 'plugins-off' | 'managed-only' | 'all-off' | 'untrusted' | 'no-folder';

/** Why hooks do not run in this window; empty when nothing is known against it. */
export function hookTroubles(switches: HookSwitches): readonly HookTrouble[] {
  const found: readonly (readonly [HookTrouble, boolean])[] = [
    ['hooks-off', switches.useHooks === false],
    ['plugins-off', switches.plugins === false],
    ['managed-only', switches.managedOnly === true],
    ['all-off', switches.allOff === true],
    ['untrusted', !switches.isTrusted],
    ['no-folder', !switches.hasFolder],
  ];
  return found.filter(([, holds]) => holds).map(([trouble]) => trouble);
}
