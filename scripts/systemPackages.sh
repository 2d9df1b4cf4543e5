#!/usr/bin/env bash
# Installs the programs that Lacuna's sandbox is made of on Debian and Ubuntu, where they are missing and we may: bubblewrap,
# socat and ripgrep. Elsewhere it says what to install; without them Lacuna works and asks instead of sandboxing.
set -u
missing=()
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v socat >/dev/null || missing+=(socat)
command -v rg >/dev/null || missing+=(ripgrep)
command -v git >/dev/null || missing+=(git)
[ "$(uname -s)" = Linux ] && [ ${#missing[@]} -gt 0 ] || exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" && exit 0
fi
echo "For the sandbox, install: ${missing[*]}" >&2
