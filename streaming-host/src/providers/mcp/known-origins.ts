/**
 * Limits which origins a tool server with OAuth can make us contact: itself and the issuer in the settings. It names the addresses of its
 * metadata and of its token issuer, and could name any that only this machine and its network can reach. Addresses that the issuer itself
 * names, such as its token endpoint, are trusted like the settings.
 */
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpOAuth } from "@voice/shared/config/mcp-servers";
import { VoiceError } from "@voice/shared/platform/errors";

export function askKnownOrigins(fetch: FetchLike, url: string, { issuer, token_url: tokenUrl }: McpOAuth): FetchLike {
  const known = new Set([url, issuer, tokenUrl].flatMap((address) => URL.parse(address ?? "")?.origin ?? []));
  return async (address, init) => {
    // Metadata is read by GET. A token is requested by POST, from the address in the issuer's metadata.
    const isReading = (init?.method ?? "GET") === "GET";
    if (isReading && !known.has(new URL(address).origin))
      throw new VoiceError("forbidden", "a tool server named an address of somebody else");
    return fetch(address, init);
  };
}
