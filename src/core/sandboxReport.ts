/** Something that isolation needs and this machine lacks. */
export interface Missing {
  /** What it is: a program, a setting of the kernel, a service. */
  readonly what: string;
  /** One sentence or command that gets it. */
  readonly howToGet: string;
}

/** One way to isolate a command, and whether this machine has it. */
export interface BackendReport {
  readonly name: 'sandbox-runtime' | 'container';
  /** In words for people: "bubblewrap 0.8.0", "podman 4.3.1". */
  readonly description: string;
  readonly isUsable: boolean;
  readonly missing: readonly Missing[];
  /** The program that it is driven by, absolute; null when there is none. */
  readonly program: string | null;
}

/** What this machine can isolate commands with, best first. */
export interface SandboxReport {
  readonly backends: readonly BackendReport[];
}

/** Whether any isolation can be had. */
export const hasSandbox = (report: SandboxReport): boolean => report.backends.some(({ isUsable }) => isUsable);

/** What is missing, for people: one line for each thing, with how to get it; empty when nothing is. */
export const explainMissing = (report: SandboxReport): readonly string[] =>
  report.backends.flatMap(({ name, missing }) => missing.map(({ what, howToGet }) => `${name}: ${what}. ${howToGet}`));
