export const PACK_TEXTS: ReadonlyMap<string, string> = new Map([]);
