#!/bin/sh
# After "azd provision": lets Front Door's private link into the functions app, where VOICE_PRIVATE_ORIGINS asks for one. Only
# the request that carries the id of this environment's own Front Door is approved. Wants the Azure CLI, logged in.
set -eu

if [ "${VOICE_PRIVATE_ORIGINS:-false}" != true ]; then
  exit 0
fi

# The edge makes its request minutes after the template has ended.
tries=0
while true; do
  found=$(az network private-endpoint-connection list --id "$FUNCTIONS_ID" --output tsv \
    --query "[?contains(properties.privateLinkServiceConnectionState.description, '$FRONT_DOOR_ID')].[properties.privateLinkServiceConnectionState.status, id]")
  if [ -n "$found" ]; then break; fi
  tries=$((tries + 1))
  [ "$tries" -lt 40 ] || { echo "Front Door $FRONT_DOOR_ID has not asked for its private link" >&2; exit 1; }
  sleep 15
done

echo "$found" | while read -r status id; do
  if [ "$status" = Pending ]; then
    az network private-endpoint-connection approve --id "$id" --description "Front Door $FRONT_DOOR_ID" --output none
    echo "approved the private link of Front Door $FRONT_DOOR_ID"
  fi
done
