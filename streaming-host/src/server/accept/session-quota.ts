/**
 * How many sockets for conversations one client may open: a user, or an address while nobody says who they are. Who brings a
 * ticket was counted where it was issued.
 */
import { countedAs } from "@voice/shared/auth/caller";
import type { SharedQuota } from "@voice/shared/state/shared-quota";
import type { Admission, Admitted } from "./admission.ts";

export function limitSessions(admit: Admission, quota: Pick<SharedQuota, "take">): Admission {
  return async (request, route) => {
    const answer = await admit(request, route);
    if (!("caller" in answer) || !beginsConversation(answer)) return answer;
    const client = countedAs(answer.caller, request.socket.remoteAddress);
    const exceeded = client === undefined ? undefined : await quota.take(client);
    if (exceeded === undefined) return answer;
    return {
      status: 429,
      code: "rate_limited",
      detail: "As many conversations were begun by this client as may be in an hour.",
      retryAfterMs: exceeded.retryAfterMs,
    };
  };
}

/** A media session was counted when it was agreed on, and what a platform brings are other people's calls. */
function beginsConversation({ route, hasTicket }: Admitted): boolean {
  return hasTicket !== true && (route.kind === "browser" || route.kind === "media");
}
