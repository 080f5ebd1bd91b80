#!/bin/sh
# `printf %s "$value" | infra/hooks/set-secret.sh TOOL_SECRETS`: puts the secret setting of that name, from standard input, into
# the environment's Key Vault, and a reference to it into App Configuration. Neither a command line nor azd's own files have the
# value. Within a hook azd has set the two names; else they are asked of azd's chosen environment. Wants the Azure CLI, logged in.
set -eu

setting=${1:?"which setting? infra/hooks/set-secret.sh TOOL_SECRETS"}
case "$setting" in *[!A-Z0-9_]*) echo "$setting is no name of a setting" >&2; exit 2 ;; esac
vault=${KEY_VAULT_NAME:-$(azd env get-value KEY_VAULT_NAME)}
store=${APP_CONFIGURATION_NAME:-$(azd env get-value APP_CONFIGURATION_NAME)}
secret=$(echo "$setting" | tr 'A-Z_' 'a-z-')

# A role that was given a moment ago is not known everywhere yet: App Configuration takes up to 15 minutes. Each refusal is on
# the screen, in the service's own words.
patiently() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || exit 1
    echo "tries again in 15 s" >&2
    sleep 15
  done
}

found=
if [ "${2:-}" = --unless-there ]; then
  # Not asked for by its name: a refusal would look like a secret that is not there, and a new one would take the place of the
  # one that is in use.
  found=$(patiently az keyvault secret list --vault-name "$vault" --query "[?name=='$secret'].id" --output tsv)
fi
if [ -z "$found" ]; then
  file=$(mktemp)
  trap 'rm -f "$file"' EXIT
  cat >"$file"
  [ -s "$file" ] || { echo "standard input has no value for $setting" >&2; exit 2; }
  patiently az keyvault secret set --vault-name "$vault" --name "$secret" --file "$file" --output none
  echo "$setting is in the vault $vault as $secret"
fi

# Without a version, so that a rotated secret is found.
address=$(az keyvault show --name "$vault" --query properties.vaultUri --output tsv)
patiently az appconfig kv set-keyvault --auth-mode login --yes --output none \
  --name "$store" --key "$setting" --secret-identifier "${address}secrets/$secret"
echo "App Configuration knows where $setting is"
