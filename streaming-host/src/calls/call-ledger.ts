/** What call control writes down: the record only moves forward, however often and in whatever order things are told. */
import { isEnded, isLegalTransition } from "@voice/shared/calls/call-transitions";
import type { Clock } from "@voice/shared/platform/clock";
import type { CallPatch, CallRecord, CallStatus, CallStore } from "@voice/shared/state/ports/call-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import { encodeMessage } from "../transports/envelope.ts";

export interface CallLedger {
  get(callId: string): Promise<CallRecord | undefined>;
  /** The service has given the call its id: the record as it is now, which may have ended meanwhile. */
  accept(call: CallRecord, callConnectionId: string): Promise<CallRecord>;
  /** Does nothing to a call that has ended. */
  end(call: CallRecord, status: "failed" | "disconnected", reason: string): Promise<void>;
  /** The caller hears music until then. */
  hold(call: CallRecord, untilMs: number): Promise<CallRecord>;
  resume(call: CallRecord): Promise<CallRecord>;
  /** Nobody in person has taken the call. */
  answeredByMachine(call: CallRecord): Promise<CallRecord>;
  /** False when an entry with this id is there already. */
  note(callId: string, eventId: string, type: string, details?: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Tells those who watch the conversation. */
  show(call: CallRecord, update: string): void;
}

export function createCallLedger(calls: CallStore, liveUpdates: LiveUpdates, clock: Clock): CallLedger {
  async function change(call: CallRecord, decide: (record: CallRecord) => CallPatch | undefined): Promise<CallRecord> {
    return updateWithRetry({
      read: async () => (await calls.get(call.callId)) ?? call,
      decide,
      write: (record, patch) => calls.update(record.callId, record.version, patch),
    });
  }

  function show(call: CallRecord, update: string): void {
    const payload = { name: "call_update", update, status: call.status };
    liveUpdates.publish({
      sessionId: call.sessionId,
      text: encodeMessage("event", call.sessionId, clock.wallNow(), payload),
    });
  }

  return {
    get: (callId) => calls.get(callId),
    accept: (call, callConnectionId) =>
      change(call, (record) => {
        const moves = isLegalTransition(record.status, "ringing");
        if (record.callConnectionId !== undefined && !moves) return undefined;
        return {
          ...(record.callConnectionId === undefined ? { callConnectionId } : {}),
          ...(moves ? { status: "ringing" satisfies CallStatus } : {}),
        };
      }),
    async end(call, status, reason) {
      const before = await calls.get(call.callId);
      if (before === undefined || isEnded(before.status)) return;
      const ended = await change(call, (record) =>
        isLegalTransition(record.status, status)
          ? { status, endedAtMs: clock.wallNow(), failureReason: reason }
          : undefined,
      );
      show(ended, status);
    },
    hold: (call, holdUntilMs) =>
      change(call, ({ status }) =>
        isLegalTransition(status, "on_hold") ? { status: "on_hold", holdUntilMs } : undefined,
      ),
    resume: (call) => change(call, ({ status }) => (status === "on_hold" ? { status: "connected" } : undefined)),
    answeredByMachine: (call) =>
      change(call, ({ answeredBy }) => (answeredBy === undefined ? { answeredBy: "machine" } : undefined)),
    note: (callId, eventId, type, details = {}) =>
      calls.appendEvent(callId, { eventId, type, timestampMs: clock.wallNow(), details }),
    show,
  };
}
