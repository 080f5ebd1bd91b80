#!/bin/sh
# After "azd provision": says what the owner of the domain (VOICE_DOMAIN) has to put into DNS before the service answers there.
set -eu

if [ -n "${VOICE_DOMAIN:-}" ]; then
  echo "in DNS: CNAME $VOICE_DOMAIN $DOMAIN_TARGET"
  echo "in DNS: TXT _dnsauth.$VOICE_DOMAIN ${DOMAIN_VALIDATION:-(the token is in the portal, at Front Door)}"
fi
