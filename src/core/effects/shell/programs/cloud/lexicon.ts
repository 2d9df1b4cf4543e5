/** What a sub-command does, in the order of strictness. */
export const DEEDS = [
  'delete',
  'grant',
  'publish',
  'secret',
  'run',
  'change',
  'login',
  'read',
  'local',
  'quiet',
] as const;
export type Deed = (typeof DEEDS)[number];

/** Verbs that mean the same in the command lines of nearly all services. Words that are nouns for many are left out. */
const VERBS: Readonly<Partial<Record<Deed, string>>> = {
  delete:
    'delete del remove rm destroy terminate purge drop prune deregister uninstall unpublish wipe erase flush empty truncate nuke decommission undeploy deprovision discard kill revoke expire abort obliterate rb rmi unset unsubscribe teardown evict force-delete forget detach disassociate remove-secret deleteall cancel clear trash archive deactivate disable suspend unregister disconnect',
  grant:
    'grant share authorize invite allow attach-policy add-iam-policy-binding set-iam-policy add-permission assume impersonate',
  publish: 'publish deploy release promote send broadcast post comment rollout ship',
  secret: '',
  run: 'exec invoke ssh console shell execute',
  change:
    'create add put set update edit apply patch modify enable start stop restart reboot reset scale attach import copy cp sync mv move rename upload merge close reopen approve rotate transfer restore rollback upgrade migrate push provision replace resize configure associate register subscribe lock unlock mount unmount trigger dispatch run rerun retry resume pause pin unpin tag untag label annotate bind link unlink connect save submit assign unassign activate reload write activate reorder rebuild reinstall refresh renew request allocate release-address switch up down new insert ingest promote-slot swap',
  login: 'login logout signin signout signup auth authenticate',
  read: 'list ls get describe show view status info search head inspect diff plan validate lint check query tail logs log whoami lookup find wait count stats cat preview watch top explain events usage download export fetch pull test verify compare graph report filter print history read select scan peek monitor metrics url open ping summary output env-list current audit details doctor',
  local: 'init generate scaffold fmt format completions config-init',
  quiet: 'help version completion man manual about docs',
};

const BY_VERB: ReadonlyMap<string, Deed> = new Map(
  DEEDS.flatMap((deed) =>
    (VERBS[deed] ?? '')
      .split(' ')
      .filter((verb) => verb !== '')
      .map((verb): [string, Deed] => [verb, deed]),
  ),
);

/** The deed of one word: the whole word, or its first part where words are joined (`delete-bucket`, `delete_user`). */
export function deedOfVerb(word: string): Deed | null {
  const folded = word.toLowerCase();
  return BY_VERB.get(folded) ?? BY_VERB.get(/^[a-z]+(?=[-_])/.exec(folded)?.[0] ?? '') ?? null;
}

/** Whether a word looks like a verb at all, rather than a name. */
export const isVerb = (word: string): boolean => deedOfVerb(word) !== null;
