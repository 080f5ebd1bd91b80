/**
 * How many sockets for conversations one address may open. Who brings a ticket was counted where it was issued, by the
 * subject of its token.
 */
import type { HourlyQuota } from "@voice/shared/platform/hourly-quota";
import type { Admission } from "./admission.ts";

export function limitSessions(admit: Admission, quota: HourlyQuota): Admission {
  return async (request, route) => {
    const answer = await admit(request, route);
    if (!("caller" in answer) || route.kind !== "browser" || route.query.ticket !== undefined) return answer;
    const exceeded = quota.take(request.socket.remoteAddress ?? "unknown");
    if (exceeded === undefined) return answer;
    return {
      status: 429,
      code: "rate_limited",
      detail: "As many conversations were opened from this address as may be in an hour.",
      retryAfterMs: exceeded.retryAfterMs,
    };
  };
}
