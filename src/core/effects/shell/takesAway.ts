/** Verbs by which the methods of libraries for services say that they take something away. */
const VERB =
  /^(?:delete|del|destroy|remove|prune|drop|purge|truncate|terminate|cancel|revoke|wipe|erase|flush|clear|deactivate|disable|detach|unlink)(?=[A-Z_]|$)/;

/** Whether the name of a method says that it takes something away: `deleteIndex`, `drop_table`, `cancel`. */
export const takesAway = (method: string): boolean => VERB.test(method);
