#!/bin/sh
# After "azd provision": makes the secret that the delivery of calls presents, unless it is there, and tells the apps where it
# is. Wants the Azure CLI, logged in.
set -eu

openssl rand -hex 32 | tr -d '\n' | "$(dirname "$0")/set-secret.sh" COMM_WEBHOOK_SECRET --unless-there
