/**
 * A consumer of call events in a process of its own, for a test to kill. Arguments: port, key prefix, mode. Its effect on
 * the world is an entry in the call's log, keyed by the event's id. `hang`: it never finishes an event after its effect.
 */
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Delivery } from "@voice/shared/state/ports/event-bus";

const [port = "", keyPrefix = "", mode = ""] = process.argv.slice(2);

const state = await openRedisState(
  {
    host: "127.0.0.1",
    port: Number(port),
    tls: undefined,
    authentication: { type: "none" },
    connectionTimeoutMs: 2000,
    operationTimeoutMs: 2000,
    maxConnections: 7,
  },
  { clock: systemClock, logger: silentLogger },
  { keyPrefix, reclaimAfterMs: 500 },
);

async function handle(event: CallEvent, { attempt }: Delivery): Promise<void> {
  await state.calls.appendEvent(event.subject, {
    eventId: event.id,
    timestampMs: Date.now(),
    type: "effect.hold",
    details: { outcome: `${mode}, attempt ${attempt}` },
  });
  console.log(`${event.id} ${attempt}`);
  if (mode === "hang") await new Promise(() => undefined);
}

await state.events.subscribe({
  "call.initiation-requested": handle,
  "call.inbound-received": handle,
  "call.callback-received": handle,
  "call.termination-requested": handle,
  "call.farewell-requested": handle,
});
console.log("subscribed");
