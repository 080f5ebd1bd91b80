/** What call control writes down: the record only moves forward, however often and in whatever order things are told. */
import { isAwaitingAnswer, isLegalTransition } from "@voice/shared/calls/call-transitions";
import type { eventPayload } from "@voice/shared/contracts/stream/server-message";
import type { Clock } from "@voice/shared/platform/clock";
import type { CallPatch, CallRecord, CallStatus, CallStore } from "@voice/shared/state/ports/call-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { z } from "zod";
import { encodeMessage } from "../transports/envelope.ts";

export interface CallLedger {
  get(callId: string): Promise<CallRecord | undefined>;
  /** The service has given the call its id: the record as it is now, which may have ended meanwhile. */
  accept(call: CallRecord, callConnectionId: string): Promise<CallRecord>;
  /** Its audio is there: somebody has picked up. Does nothing to a call that is known to be connected, or to have ended. */
  connect(call: CallRecord, callConnectionId: string): Promise<CallRecord>;
  /** False for a call that has ended already, or was picked up when it should have failed. */
  end(call: CallRecord, status: "failed" | "disconnected", reason: string): Promise<boolean>;
  /** The caller hears music until then. */
  hold(call: CallRecord, untilMs: number): Promise<CallRecord>;
  resume(call: CallRecord): Promise<CallRecord>;
  /** Nobody in person has taken the call. */
  answeredByMachine(call: CallRecord): Promise<CallRecord>;
  /** False when an entry with this id is there already. */
  note(callId: string, eventId: string, type: string, details?: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Why the conversation is over; the first reason counts. */
  noteConversationEnd(callId: string, reason: string): Promise<boolean>;
  /** The conversation was ended by nobody who carried it: written down, and told to those who watch. */
  concludeConversation(call: CallRecord, reason: string): Promise<void>;
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

  function tell({ sessionId }: CallRecord, payload: z.input<typeof eventPayload>): void {
    liveUpdates.publish({ sessionId, text: encodeMessage("event", sessionId, clock.wallNow(), payload) });
  }

  const show: CallLedger["show"] = (call, update) => tell(call, { name: "call_update", update, status: call.status });

  const note: CallLedger["note"] = (callId, eventId, type, details = {}) =>
    calls.appendEvent(callId, { eventId, type, timestampMs: clock.wallNow(), details });

  const noteConversationEnd: CallLedger["noteConversationEnd"] = (callId, reason) =>
    note(callId, `conversation-ended:${callId}`, "conversation.ended", { reason });

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
    connect: (call, callConnectionId) =>
      change(call, (record) => {
        if (!isAwaitingAnswer(record.status)) return undefined;
        return { status: "connected", callConnectionId, connectedAtMs: clock.wallNow() };
      }),
    async end(call, status, reason) {
      if ((await calls.get(call.callId)) === undefined) return false;
      let isMoved = false;
      const ended = await change(call, (record) => {
        isMoved = isLegalTransition(record.status, status);
        return isMoved ? { status, endedAtMs: clock.wallNow(), failureReason: reason } : undefined;
      });
      if (isMoved) show(ended, status);
      return isMoved;
    },
    hold: (call, holdUntilMs) =>
      change(call, ({ status }) =>
        isLegalTransition(status, "on_hold") ? { status: "on_hold", holdUntilMs } : undefined,
      ),
    resume: (call) => change(call, ({ status }) => (status === "on_hold" ? { status: "connected" } : undefined)),
    answeredByMachine: (call) =>
      change(call, ({ answeredBy }) => (answeredBy === undefined ? { answeredBy: "machine" } : undefined)),
    note,
    noteConversationEnd,
    async concludeConversation(call, reason) {
      if (await noteConversationEnd(call.callId, reason)) tell(call, { name: "session_ended", reason });
    },
    show,
  };
}
