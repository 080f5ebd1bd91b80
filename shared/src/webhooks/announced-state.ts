/**
 * A state whose writes are announced to the receivers of webhooks. Each fact goes into the outbox before the write that makes it
 * true, and gets its body after it: a process that dies in between leaves a delivery for which another one finds out whether
 * the write took place.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock.ts";
import type { CallOperations } from "../state/ports/call-operations.ts";
import type { CallRecord, CallStore } from "../state/ports/call-store.ts";
import type { State } from "../state/ports/state.ts";
import { checkAfterMs, watchEnds } from "../state/watch-ends.ts";
import type { WebhookFact } from "../state/work/webhook-deliveries.ts";
import { callFact, endOfCall, handoverFact, isTransfer, sessionFact } from "./webhook-facts.ts";
import { findBody } from "./webhook-body.ts";

/**
 * What else is known of an end is written just after it, and the service may report an end before it reports why: an event whose
 * reason may yet come waits that long, and its body is written when it is sent.
 */
export const reasonWithinMs = { session: 2000, call: 2000, failure: 5000 } as const;

/** A receiver's name in the outbox. Its address may contain a key, and has to be in the settings only. */
export function receiverOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 12);
}

export function announceState(
  state: State,
  /** The addresses of the receivers. */
  urls: readonly string[],
  baseUrl: string | undefined,
  clock: Clock,
): State {
  if (urls.length === 0) return state;
  const announce = announcer(state, urls, baseUrl, clock);
  return {
    ...state,
    sessions: watchEnds(state.sessions, (ended, write) =>
      announce(sessionFact(ended), write, ended.endReason === undefined ? reasonWithinMs.session : 0),
    ),
    calls: announcedCalls(state.calls, announce),
    callOperations: announcedOperations(state, announce),
  };
}

type Announce = ReturnType<typeof announcer>;

/** `completeInMs`: what else is known of it comes within this time, after which its body is written. */
function announcer(state: State, urls: readonly string[], baseUrl: string | undefined, clock: Clock) {
  const { webhooks } = state;
  const putAll = async (fact: WebhookFact, body: string | undefined, dueInMs: number): Promise<void> => {
    await Promise.all(urls.map((url) => webhooks.put({ ...fact, receiver: receiverOf(url), body }, dueInMs)));
  };
  /** Writes what makes the fact true. */
  return async function announce<Answer>(
    fact: WebhookFact | undefined,
    write: () => Promise<Answer>,
    completeInMs = 0,
  ): Promise<Answer> {
    if (fact === undefined) return write();
    await putAll(fact, undefined, checkAfterMs);
    const answer = await write();
    if (completeInMs > 0) {
      await Promise.all(urls.map((url) => webhooks.hasten({ id: fact.id, receiver: receiverOf(url) }, completeInMs)));
      return answer;
    }
    const body = await findBody(fact, { state, baseUrl, nowMs: clock.wallNow() });
    if (body !== undefined) await putAll(fact, body, 0);
    return answer;
  };
}

function announcedCalls(calls: CallStore, announce: Announce): CallStore {
  return {
    ...calls,
    async update(callId, version, patch) {
      const write = () => calls.update(callId, version, patch);
      const call = patch.status === undefined ? undefined : await calls.get(callId);
      if (call === undefined) return write();
      const changed = { ...call, ...patch };
      return announce(callFact(changed), write, reasonComesInMs(changed));
    },
  };
}

function reasonComesInMs(call: CallRecord): number {
  if (endOfCall(call) === "call.ended") return reasonWithinMs.call;
  const isFinal = call.failureBasis === undefined || call.failureBasis === "failure";
  return isFinal ? 0 : reasonWithinMs.failure;
}

function announcedOperations({ callOperations, calls }: State, announce: Announce): CallOperations {
  return {
    ...callOperations,
    async settle(operation, outcome) {
      const write = () => callOperations.settle(operation, outcome);
      if (!outcome.ok || !isTransfer(operation)) return write();
      const call = await calls.get(operation.callId);
      return announce(call && handoverFact(call, operation), write);
    },
  };
}
