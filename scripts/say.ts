/** Prints a line at once, so that a person sees what goes on. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A failure that a person can do something about. `message` is the sentence that helps; shown without a stack. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
}

/**
 * Does slow work under a title: prints the title, a sign of life every ten seconds, and how long it took. What the work
 * throws goes on to the caller.
 */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startMs = Date.now();
  const seconds = (): string => `${Math.round((Date.now() - startMs) / 1000)} s`;
  say(`${title} …`);
  const alive = setInterval(() => say(`  still at it (${seconds()})`), 10_000);
  try {
    const value = await work();
    say(`  done (${seconds()})`);
    return value;
  } finally {
    clearInterval(alive);
  }
}

/** Runs a script's main function: a {@link Trouble} ends it with its sentence, anything else with its stack. */
export function main(work: () => Promise<number>): void {
  // A signal ends the process by `exit`, so that what it started is ended too.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(143));
  work().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Trouble ? error.message : errorText(error)}\n`);
      process.exit(1);
    },
  );
}

const errorText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
