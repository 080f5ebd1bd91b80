/** What waits to be delivered, archived or noted, in words for operators. */
import type { Settings } from "@voice/shared/config/settings";
import type { Backlog } from "@voice/shared/state/work/backlog";
import { afterCallLane, archiveLane } from "@voice/shared/state/work/due-conversations";
import { receiverOf } from "@voice/shared/webhooks/announced-state";

/** What is younger is on its way: what may not have happened is looked up after half a minute (`checkAfterMs`). */
const expectedMs = 60_000;

/** Empty if nothing waits longer than it should. Names no address, because those may contain keys. */
export function describeBacklog(
  { lanes, isMore }: Backlog,
  { webhookUrls = [] }: Pick<Settings, "webhookUrls">,
  nowMs: number,
): string {
  const receivers = webhookUrls.map(receiverOf);
  const waiting = [...lanes]
    .filter(([, { longestMs }]) => longestMs > expectedMs)
    .map(([lane, { count, longestMs }]) => {
      const [what, purpose] = workOf(lane, receivers);
      const many = `${isMore ? "at least " : ""}${count} ${what}${count === 1 ? "" : "s"}`;
      return `${many} ${purpose} since ${new Date(nowMs - longestMs).toISOString()}`;
    });
  return waiting.length === 0 ? "" : `. Waiting: ${waiting.join(", ")}`;
}

function workOf(lane: string, receivers: readonly string[]): readonly [what: string, purpose: string] {
  if (lane === archiveLane) return ["conversation", "to be archived"];
  if (lane === afterCallLane) return ["conversation", "to be noted"];
  const place = receivers.indexOf(lane) + 1;
  return [
    "webhook",
    `to ${place === 0 ? "a receiver that is not in WEBHOOK_URLS here" : `receiver ${place} of WEBHOOK_URLS`}`,
  ];
}
