/**
 * Whom a tool server that wants OAuth can have us ask: itself and the issuer of the settings. It names the addresses of its
 * metadata and of who gives tokens for it, and could name any that only this machine and its network can reach. What the
 * issuer itself names, such as where tokens are asked for, is the settings' word.
 */
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpOAuth } from "@voice/shared/config/mcp-servers";
import { VoiceError } from "@voice/shared/platform/errors";

export function askKnownOrigins(fetch: FetchLike, url: string, { issuer, token_url: tokenUrl }: McpOAuth): FetchLike {
  const known = new Set([url, issuer, tokenUrl].flatMap((address) => URL.parse(address ?? "")?.origin ?? []));
  return async (address, init) => {
    // Metadata is read by GET. A token is asked for by POST, where the issuer's metadata says.
    const isReading = (init?.method ?? "GET") === "GET";
    if (isReading && !known.has(new URL(address).origin))
      throw new VoiceError("forbidden", "a tool server named an address of somebody else");
    return fetch(address, init);
  };
}
