#!/bin/sh
# Before "azd deploy": copies a project that is outside of this repository (VOICE_PROJECT_DIR) to own/project, from where both
# packages take it along, with what its tools depend on. The service itself is a development dependency there, so it stays out.
set -eu

if [ -z "${VOICE_PROJECT_DIR:-}" ]; then
  exit 0
fi
[ -d "$VOICE_PROJECT_DIR" ] || { echo "VOICE_PROJECT_DIR: there is no folder $VOICE_PROJECT_DIR" >&2; exit 1; }

rm -rf own/project
mkdir -p own/project
# Keys of the machine that deploys are none of the deployment's.
tar -C "$VOICE_PROJECT_DIR" --exclude ./node_modules --exclude ./.git --exclude ./.env --exclude ./local.settings.json -cf - . |
  tar -C own/project -xf -
if [ -f own/project/package-lock.json ]; then
  (cd own/project && npm ci --omit=dev --no-audit --no-fund)
fi
echo "own/project is $VOICE_PROJECT_DIR"
