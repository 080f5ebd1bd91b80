#!/bin/sh
# After "azd provision": makes the secret that the delivery of calls presents, unless it is there, and tells the apps where it
# is. The secret itself is in Key Vault only; App Configuration has a reference. Wants the Azure CLI, logged in.
set -eu

secret=comm-webhook-secret

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

# Not asked for by its name: a refusal would look like a secret that is not there, and a new one would take the place of the
# one that calls and Event Grid hold.
found=$(patiently az keyvault secret list --vault-name "$KEY_VAULT_NAME" --query "[?name=='$secret'].id" --output tsv)
if [ -z "$found" ]; then
  file=$(mktemp)
  trap 'rm -f "$file"' EXIT
  openssl rand -hex 32 | tr -d '\n' >"$file"
  patiently az keyvault secret set --vault-name "$KEY_VAULT_NAME" --name "$secret" --file "$file" --output none
  echo "made the webhook's secret"
fi

# Without a version, so that a rotated secret is found.
vault=$(az keyvault show --name "$KEY_VAULT_NAME" --query properties.vaultUri --output tsv)
patiently az appconfig kv set-keyvault --auth-mode login --yes --output none \
  --name "$APP_CONFIGURATION_NAME" --key COMM_WEBHOOK_SECRET --secret-identifier "${vault}secrets/$secret"
echo "App Configuration knows where the webhook's secret is"
