/** A wish to stop, in the shape that `AbortSignal` fits. The core has no timers and no signals of its own. */
export interface Cancel {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
