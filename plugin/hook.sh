#!/bin/sh
# Starts the hook process: with the editor's own Node, whose place the extension writes down when it starts, else with the
# node of PATH. However that process ends, what the host reads is an answer: one that is killed, or cannot start, is a "no" in
# the form that this agent's host takes for a block.
here=$(cd "$(dirname "$0")/.." && pwd)
note=${XDG_STATE_HOME:-$HOME/.local/state}/lacuna/runtime
if [ -r "$note" ]; then runtime=$(cat "$note"); else runtime=; fi
if [ -z "$runtime" ] || [ ! -x "$runtime" ]; then runtime=$(command -v node); fi
if [ -n "$runtime" ]; then
  answer=$(LACUNA_HOOK_SHELL=$PPID ELECTRON_RUN_AS_NODE=1 "$runtime" "$here/dist/hook.js" "$@")
  code=$?
  why='Lacuna refuses: its hook process ended without an answer.'
else
  cat >/dev/null
  code=1
  why='Lacuna cannot start: there is no Node. Open the editor once, or install Node 20.'
fi
case $code in
0 | 2)
  printf '%s' "$answer"
  exit $code
  ;;
esac
case " $* " in
*" --agent vscode "*)
  printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"},"permissionDecision":"deny","permissionDecisionReason":"%s"}' "$why" "$why"
  ;;
*)
  echo "$why" >&2
  exit 2
  ;;
esac
