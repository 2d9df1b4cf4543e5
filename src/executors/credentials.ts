import type { Credential } from '../core/policy/decision.js';

/** Where credentials are kept. The editor's secret storage, or nothing on the command line. */
export interface Secrets {
  get(key: string): Promise<string | null>;
}

/** There are none: only variables of the environment can be used. */
export const noSecrets: Secrets = { get: () => Promise.resolve(null) };

/** Credentials that policy attaches, looked up. `values` are masked in whatever comes back. */
export interface Attached {
  readonly headers: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly values: readonly string[];
  /** Names of those that are nowhere to be found. */
  readonly missing: readonly string[];
}

const nameOf = ({ from }: Credential): string => (from.type === 'secret' ? from.key : from.name);

/** Looks up the credentials of an obligation. Nothing of them is ever shown to the agent. */
export async function attach(
  credentials: readonly Credential[],
  secrets: Secrets,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Attached> {
  const headers: Record<string, string> = {};
  const variables: Record<string, string> = {};
  const values: string[] = [];
  const missing: string[] = [];
  for (const credential of credentials) {
    const { from, into } = credential;
    const value = from.type === 'secret' ? await secrets.get(from.key) : (environment[from.name] ?? null);
    if (value === null || /[\r\n\0]/.test(value)) {
      missing.push(nameOf(credential));
      continue;
    }
    const filled = into.template.split('{}').join(value);
    if (into.type === 'header') headers[into.name] = filled;
    else variables[into.name] = filled;
    values.push(value, filled);
  }
  return { headers, variables, values, missing };
}
