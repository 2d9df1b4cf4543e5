/** How far data may travel, least first. */
export const CONFIDENTIALITIES = ['public', 'internal', 'sensitive', 'secret'] as const;
export type Confidentiality = (typeof CONFIDENTIALITIES)[number];

/** Whether data may be believed: `untrusted` came from the web, a tool, a dependency. */
export const INTEGRITIES = ['trusted', 'untrusted'] as const;
export type Integrity = (typeof INTEGRITIES)[number];

/** One word of either scale, as policies write it in `labels: [secret, untrusted]`. */
export type Label = Confidentiality | Integrity;
