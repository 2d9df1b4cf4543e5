import type { Progress } from '../../core/gate/executor.js';
import { decodeSafely, neutralise, OUTPUT_CAP_BYTES, type Mask } from '../output.js';

const MAX_LINE_BYTES = 16 * 1024;

/** Streams output while a command runs: whole lines, masked and neutralised, up to a cap. */
export class LineStream {
  readonly #progress: Progress;
  readonly #mask: Mask;
  #rest: Buffer = Buffer.alloc(0);
  #shownBytes = 0;

  constructor(progress: Progress, mask: Mask) {
    this.#progress = progress;
    this.#mask = mask;
  }

  push(chunk: Buffer): void {
    if (this.#shownBytes > OUTPUT_CAP_BYTES) return;
    const joined = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const cut = joined.length > MAX_LINE_BYTES ? joined.length : joined.lastIndexOf(10) + 1;
    this.#rest = Buffer.from(joined.subarray(cut));
    this.#show(joined.subarray(0, cut));
  }

  /** Shows what is left without a line end. */
  end(): void {
    this.#show(this.#rest);
    this.#rest = Buffer.alloc(0);
  }

  #show(bytes: Buffer): void {
    if (bytes.length === 0 || this.#shownBytes > OUTPUT_CAP_BYTES) return;
    this.#shownBytes += bytes.length;
    this.#progress.output(this.#mask(neutralise(decodeSafely(bytes))).text);
    if (this.#shownBytes > OUTPUT_CAP_BYTES) this.#progress.output('… more output is not shown while it runs …\n');
  }
}
