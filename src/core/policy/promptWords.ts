/** What policies may say of secrets in a prompt to a model on another machine, mildest first. */
export const PROMPT_POLICIES = ['mask', 'ask', 'deny'] as const;
export type PromptPolicy = (typeof PROMPT_POLICIES)[number];
