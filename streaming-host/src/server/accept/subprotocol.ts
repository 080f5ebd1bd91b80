/** Which of the subprotocols that a client offers we speak; RFC 6455 section 4.2.2 forbids any other answer. */

/** HOOK-3: our name for the protocol, and the vendor's. */
const hookProtocols = ["hook-v2", "audiohook-v2"] as const;

/**
 * Called only if the client offers subprotocols. If false is returned, no subprotocol is chosen, and the client decides
 * what that means.
 */
export function chooseSubprotocol(
  offered: ReadonlySet<string>,
  request: { readonly url?: string | undefined },
): string | false {
  if (request.url?.startsWith("/api/v1/telephony/") === true)
    return hookProtocols.find((known) => offered.has(known)) ?? false;
  // On other routes a subprotocol has no meaning for us, but clients that name one expect it to be accepted.
  return offered.values().next().value ?? false;
}
