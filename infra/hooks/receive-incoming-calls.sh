#!/bin/sh
# After "azd deploy": waits until the API answers, then has incoming calls delivered to it. Event Grid proves the address by
# calling it, so this cannot come earlier. Wants the Azure CLI, logged in.
set -eu

if [ -z "${VOICE_PHONE_NUMBER:-}" ]; then
  echo "no VOICE_PHONE_NUMBER is set: incoming calls are not delivered"
  exit 0
fi

# A new address takes minutes to be known at every edge.
tries=0
until curl --silent --fail --max-time 20 --output /dev/null "$BASE_URL/api/v1/health"; do
  tries=$((tries + 1))
  [ "$tries" -lt 40 ] || { echo "$BASE_URL/api/v1/health does not answer" >&2; exit 1; }
  sleep 15
done

# Event Grid calls it from elsewhere, and its edge may learn of the address later than ours.
tries=0
until az deployment group create --output none \
  --subscription "$AZURE_SUBSCRIPTION_ID" --resource-group "$AZURE_RESOURCE_GROUP" \
  --name incoming-calls --parameters infra/incoming-calls.bicepparam; do
  tries=$((tries + 1))
  [ "$tries" -lt 10 ] || exit 1
  echo "tries again in 30 s" >&2
  sleep 30
done
echo "incoming calls are delivered to $BASE_URL/api/v1/calls/answer"
