import type { Cancel } from '../cancel.js';
import type { Probabilities, Thresholds } from './linear.js';
import type { ReasonCode } from './reasons.js';

/** What a model is shown: the canonical form of one proposal. All of it is data. */
export interface ReviewPrompt {
  readonly text: string;
}

/** What a model process thinks of a prompt, or why there is nothing. Slow, down and nonsense are values. */
export type Thought =
  | {
      readonly type: 'thought';
      readonly probabilities: Probabilities;
      /** Chosen by the model under a grammar; null when it had no time for one. */
      readonly reason: ReasonCode | null;
      readonly model: string;
      readonly durationMs: number;
    }
  | {
      readonly type: 'none';
      /** `missing`: it can never run here, so that the linear model stands in for it. */
      readonly why: 'missing' | 'down' | 'slow' | 'nonsense';
      readonly message: string;
    };

/** A model that reads prompts: a process of our own, or an endpoint on this machine. Never throws. */
export interface Thinker {
  think(prompt: ReviewPrompt, cancel: Cancel): Promise<Thought>;
  /** How sure it has to be that something is wrong before it says so. */
  readonly thresholds: Thresholds;
}
