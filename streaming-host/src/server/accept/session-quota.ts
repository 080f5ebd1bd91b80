/**
 * Limits the number of conversation sockets that one client may open: a client is a user, or an address if there is no
 * sign-in. Tickets were counted where they were issued.
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

/** A media session was counted when it was created, and a platform's sessions belong to other people's calls. */
function beginsConversation({ route, hasTicket }: Admitted): boolean {
  return hasTicket !== true && (route.kind === "browser" || route.kind === "media");
}
