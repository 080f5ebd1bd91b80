/**
 * PLACE: limits how many calls may be placed, per hour and at the same time, by each client and by all together, across all instances.
 * Nothing is placed while the store cannot count: a call costs money, and its stream needs the store anyway.
 */
import { isEnded } from "@voice/shared/calls/call-transitions";
import { hourMs } from "@voice/shared/platform/day";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { Settings } from "@voice/shared/config/settings";
import type { State } from "@voice/shared/state/ports/state";
import { quotaKeyOf } from "@voice/shared/state/shared-quota";

type Stores = Pick<State, "counters" | "calls">;

/** How soon a client may retry while the maximum number of calls is under way. */
const askAgainMs = 10_000;

const ofEverybody = "calls:everybody";
const keyOf = (client: string): string => quotaKeyOf("calls", client);

/** Counts the call, or throws `rate_limited`. A call that is refused because of the calls under way counts in the hour as well. */
export async function requireCallQuota(
  client: string,
  callId: string,
  settings: Settings,
  stores: Stores,
): Promise<void> {
  const ofClient = keyOf(client);
  await countInHour(ofClient, settings.maxCallsPerHour, "MAX_CALLS_PER_HOUR", stores);
  await countInHour(ofEverybody, settings.maxServiceCallsPerHour, "MAX_SERVICE_CALLS_PER_HOUR", stores);
  const forMs = settings.commMaxCallMs + settings.commCallTimeoutMs;
  const hold = async (whose: string, limit: number, setting: string): Promise<void> => {
    const bounds = { limit, forMs };
    if (await stores.counters.hold(whose, callId, bounds)) return;
    await releaseEnded(whose, stores);
    if (!(await stores.counters.hold(whose, callId, bounds)))
      throw quotaExceeded("As many calls are under way as may be at the same time.", setting, askAgainMs);
  };
  await hold(ofClient, settings.maxCallsAtOnce, "MAX_CALLS_AT_ONCE");
  try {
    await hold(ofEverybody, settings.maxServiceCallsAtOnce, "MAX_SERVICE_CALLS_AT_ONCE");
  } catch (error) {
    await stores.counters.release(ofClient, [callId]);
    throw error;
  }
}

/** The call is not placed after all. */
export async function releaseCallQuota(client: string, callId: string, { counters }: Stores): Promise<void> {
  await counters.release(keyOf(client), [callId]);
  await counters.release(ofEverybody, [callId]);
}

async function countInHour(key: string, limit: number, setting: string, { counters }: Stores): Promise<void> {
  const { count, endsInMs } = await counters.add(key, hourMs);
  if (count > limit) throw quotaExceeded("As many calls were placed in this hour as may be.", setting, endsInMs);
}

/** Calls end on any host, and hosts die: so the records are checked for calls still under way when a place is needed. */
async function releaseEnded(key: string, { counters, calls }: Stores): Promise<void> {
  const holders = await counters.holders(key);
  const records = await Promise.all(holders.map((callId) => calls.get(callId)));
  await counters.release(
    key,
    holders.filter((_, index) => {
      const status = records[index]?.status;
      return status !== undefined && isEnded(status);
    }),
  );
}

function quotaExceeded(detail: string, setting: string, retryAfterMs: number): BadRequestError {
  const problem = { field: "target_number", message: `${setting} says how many`, code: "quota_exceeded" };
  return new BadRequestError("rate_limited", detail, [problem], { retryAfterMs });
}
