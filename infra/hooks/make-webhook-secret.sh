#!/bin/sh
# After "azd provision": makes the secret that the delivery of calls presents, unless it is there, and tells the apps where it
# is. The secret itself is in Key Vault only; App Configuration has a reference. Wants the Azure CLI, logged in.
set -eu

secret=comm-webhook-secret

if ! az keyvault secret show --vault-name "$KEY_VAULT_NAME" --name "$secret" --query id --output tsv >/dev/null 2>&1; then
  file=$(mktemp)
  trap 'rm -f "$file"' EXIT
  openssl rand -hex 32 | tr -d '\n' >"$file"
  # A role that was given a moment ago is not known everywhere yet.
  tries=0
  until az keyvault secret set --vault-name "$KEY_VAULT_NAME" --name "$secret" --file "$file" --output none; do
    tries=$((tries + 1))
    [ "$tries" -lt 12 ] || { echo "the webhook's secret could not be written; may you write secrets in $KEY_VAULT_NAME?" >&2; exit 1; }
    sleep 15
  done
  echo "made the webhook's secret"
fi

# Without a version, so that a rotated secret is found.
vault=$(az keyvault show --name "$KEY_VAULT_NAME" --query properties.vaultUri --output tsv)
az appconfig kv set-keyvault --auth-mode login --yes --output none \
  --name "$APP_CONFIGURATION_NAME" --key COMM_WEBHOOK_SECRET --secret-identifier "${vault}secrets/$secret"
echo "App Configuration knows where the webhook's secret is"
