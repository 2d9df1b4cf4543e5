#!/bin/sh
# Starts the hook process: with the editor's own Node, whose place the extension writes down when it starts, else with the
# node of PATH. Without either the call is refused, in the form that every host of this plugin reads.
here=$(cd "$(dirname "$0")/.." && pwd)
note=${XDG_STATE_HOME:-$HOME/.local/state}/lacuna/runtime
if [ -r "$note" ]; then runtime=$(cat "$note"); else runtime=; fi
if [ -n "$runtime" ] && [ -x "$runtime" ]; then
  ELECTRON_RUN_AS_NODE=1 exec "$runtime" "$here/dist/hook.js" "$@"
fi
if command -v node >/dev/null 2>&1; then exec node "$here/dist/hook.js" "$@"; fi
cat >/dev/null
why='Lacuna cannot start: there is no Node. Open the editor once, or install Node 20.'
printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"},"permissionDecision":"deny","permissionDecisionReason":"%s"}' "$why" "$why"
