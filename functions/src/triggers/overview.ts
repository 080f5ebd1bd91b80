/** The overview of days and weeks. */
import { getOverview } from "@voice/shared/contracts/http/overview";
import { BadRequestError } from "@voice/shared/platform/errors";
import { dayMs, hourMs } from "@voice/shared/platform/day";
import { isTimeZone } from "@voice/shared/platform/local-day";
import { answer, type Route } from "../http/route.ts";
import { daysUntil, describeOverview } from "../services/describe-overview.ts";
import { fleetOrNone } from "../services/fleet.ts";

export const overviewRoutes: readonly Route[] = [
  answer(getOverview)(async ({ query, request }, { state, clock, heartbeatReading }) => {
    const { time_zone: timeZone } = query;
    if (!isTimeZone(timeZone))
      throw new BadRequestError("validation_error", "The time zone is not known.", [
        { field: "time_zone", message: "Should be a name such as `Europe/Berlin`", code: "invalid" },
      ]);
    const nowMs = clock.wallNow();
    const { tenant } = request.caller;
    const days = daysUntil(nowMs, Number(query.days), timeZone);
    // The day began at most a day earlier, in whatever time zone.
    const fromMs = Math.floor(nowMs / hourMs) * hourMs - days.length * dayMs;
    const [hours, fleet] = await Promise.all([
      state.hourlyCounts.read(fromMs, nowMs, tenant),
      fleetOrNone(state.hosts, heartbeatReading),
    ]);
    // Hosts do not say whose conversations they hold.
    const live = tenant !== undefined || fleet.hostCount === 0 ? null : fleet.activeSessions;
    return describeOverview(hours, { nowMs, days, timeZone, live });
  }),
];
