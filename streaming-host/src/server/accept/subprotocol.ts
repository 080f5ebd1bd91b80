/** Which of the subprotocols that a client offers we speak; RFC 6455 section 4.2.2 forbids any other answer. */

/** HOOK-3: the protocol's name here, and the vendor's own. */
const hookProtocols = ["hook-v2", "audiohook-v2"] as const;

/** Asked only where something is offered. False: none, and it is the client's to decide what that means. */
export function chooseSubprotocol(
  offered: ReadonlySet<string>,
  request: { readonly url?: string | undefined },
): string | false {
  if (request.url?.startsWith("/api/v1/telephony/") === true)
    return hookProtocols.find((known) => offered.has(known)) ?? false;
  // Elsewhere a subprotocol means nothing to us; clients that name one expect to get it.
  return offered.values().next().value ?? false;
}
