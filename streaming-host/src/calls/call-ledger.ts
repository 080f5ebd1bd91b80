/**
 * Call control's writes to call records. A record only moves forward, however often and in whatever order events come.
 */
import { callerHasGone, cancelled, noAnswer, type CallFailure } from "@voice/shared/calls/failure-reason";
import { allPlacesTaken } from "@voice/shared/calls/fleet-capacity";
import { isAwaitingAnswer, isEnded, isLegalTransition } from "@voice/shared/calls/call-transitions";
import { mended, missingStreamPrefix, withFailure } from "@voice/shared/calls/stream-failures";
import type { NoPerson } from "@voice/shared/calls/voicemail";
import type { CallLogMessage } from "@voice/shared/contracts/calls/call-log";
import type { eventPayload } from "@voice/shared/contracts/stream/server-message";
import type { Clock } from "@voice/shared/platform/clock";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { CallPlaces } from "@voice/shared/state/records/call-places";
import type { CallPatch, CallRecord, CallStore } from "@voice/shared/state/ports/call-store";
import type { LiveUpdates } from "@voice/shared/state/ports/live-updates";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { z } from "zod";
import { encodeMessage } from "../transports/envelope.ts";

/** What we say where nobody has said why: the service may yet report it. */
const assumed: ReadonlySet<string> = new Set([noAnswer.code, callerHasGone.code]);

export class CallLedger {
  readonly #calls: CallStore;
  readonly #callPlaces: CallPlaces;
  readonly #liveUpdates: LiveUpdates;
  readonly #clock: Clock;

  constructor(calls: CallStore, callPlaces: CallPlaces, liveUpdates: LiveUpdates, clock: Clock) {
    this.#calls = calls;
    this.#callPlaces = callPlaces;
    this.#liveUpdates = liveUpdates;
    this.#clock = clock;
  }

  /** The service is about to be asked to place or answer the call: the record says when it was asked first. */
  markAsked(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ firstAskedAtMs }) =>
      firstAskedAtMs === undefined ? { firstAskedAtMs: this.#clock.wallNow() } : undefined,
    );
  }

  /** The service has refused for now to begin the call, so the one request that was made has had no effect. */
  markUnasked(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ callConnectionId }) =>
      callConnectionId === undefined ? { firstAskedAtMs: undefined } : undefined,
    );
  }

  /** The service has not begun the call and is asked again. If that fails too, `reason` is all that is known. */
  markNotBegun(call: CallRecord, reason: string): Promise<CallRecord> {
    return this.#change(call, ({ callConnectionId, notBegunBecause }) =>
      callConnectionId === undefined && notBegunBecause !== reason ? { notBegunBecause: reason } : undefined,
    );
  }

  /** The service is about to be asked to end the call: the record says when it was asked first. */
  markEndAsked(call: CallRecord, hangUpReason: string): Promise<CallRecord> {
    return this.#change(call, ({ hangUpAtMs }) =>
      hangUpAtMs === undefined ? { hangUpAtMs: this.#clock.wallNow(), hangUpReason } : undefined,
    );
  }

  /** The service streams a call of which we did not know that it has begun, and which is over for us. */
  noteConnection(call: CallRecord, callConnectionId: string): Promise<CallRecord> {
    return this.#change(call, (record) => (record.callConnectionId === undefined ? { callConnectionId } : undefined));
  }

  /** The service says that it knows no such call: the record says since when it does. */
  markMissing(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ missingSinceMs }) =>
      missingSinceMs === undefined ? { missingSinceMs: this.#clock.wallNow() } : undefined,
    );
  }

  /** A call that was missing has shown a sign of life. */
  markFound(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ missingSinceMs }) =>
      missingSinceMs === undefined ? undefined : { missingSinceMs: undefined },
    );
  }

  /** The service has given the call its id: the record as it is now, which may have ended meanwhile. */
  markAccepted(call: CallRecord, callConnectionId: string): Promise<CallRecord> {
    return this.#change(call, (record) => {
      const moves = isLegalTransition(record.status, "ringing");
      if (record.callConnectionId !== undefined && !moves) return undefined;
      return {
        ...(record.callConnectionId === undefined ? { callConnectionId } : {}),
        ...(moves ? { status: "ringing" satisfies CallStatus } : {}),
      };
    });
  }

  /** The call's audio arrives, so somebody has picked up. Does nothing if the call is known to be connected or has ended. */
  markConnected(call: CallRecord, callConnectionId: string): Promise<CallRecord> {
    return this.#change(call, (record) => {
      if (!isAwaitingAnswer(record.status)) return undefined;
      return { status: "connected", callConnectionId, connectedAtMs: this.#clock.wallNow() };
    });
  }

  /** The call has a stream again: it is there, and earlier stream failures no longer count. */
  markStreamOpened(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ streamFailures = [], missingSinceMs }) =>
      missingSinceMs === undefined && streamFailures.every(({ isMended }) => isMended)
        ? undefined
        : { missingSinceMs: undefined, streamFailures: mended(streamFailures) },
    );
  }

  /** No host has the call's stream, and the service has not reported that it failed. */
  markStreamMissing(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ streamFailures }) => {
      const atMs = this.#clock.wallNow();
      return {
        streamFailures: withFailure(streamFailures, {
          eventId: `${missingStreamPrefix}${atMs}`,
          atMs,
          isMended: false,
        }),
      };
    });
  }

  /** False if the call has already ended. */
  end(call: CallRecord, reason: string): Promise<boolean> {
    return this.#end(call, ({ status }) =>
      isAwaitingAnswer(status)
        ? { status: "failed", failureCode: cancelled.code, failureReason: cancelled.reason }
        : { status: "disconnected", failureReason: reason },
    );
  }

  /** Nobody has answered. False if the call has already ended, or was picked up after it should have failed. */
  async fail(call: CallRecord, { code, reason }: CallFailure): Promise<boolean> {
    const failed: CallPatch = {
      status: "failed",
      failureCode: code,
      failureReason: reason,
      ...(assumed.has(code) ? { failureBasis: "assumed" } : {}),
    };
    const decide = ({ status }: CallRecord): CallPatch | undefined => (isAwaitingAnswer(status) ? failed : undefined);
    if (!(await this.#end(call, decide))) return false;
    const details = { failure: code, reason };
    await this.logEvent(call.callId, `failed:${call.callId}`, { type: "call.failed", details });
    return true;
  }

  /** All places are taken: the caller will be told so, and no agent talks with them. */
  markTurnedAway(call: CallRecord): Promise<CallRecord> {
    const { code: failureCode, reason: failureReason } = allPlacesTaken;
    return this.#change(call, ({ turnedAway }) =>
      turnedAway === true ? undefined : { turnedAway: true, failureCode, failureReason },
    );
  }

  /** Logs that all places are taken, and what is done about the call. */
  logTurnedAway({ callId }: CallRecord, answer: string): Promise<boolean> {
    const details = { answer, reason: allPlacesTaken.reason };
    return this.logEvent(callId, `turned-away:${callId}`, { type: "call.turned-away", details });
  }

  /** The caller hears music until this time. */
  markOnHold(call: CallRecord, holdUntilMs: number): Promise<CallRecord> {
    return this.#change(call, ({ status }) =>
      isLegalTransition(status, "on_hold") ? { status: "on_hold", holdUntilMs } : undefined,
    );
  }

  /** The hold is over: the next host to check takes the caller back. */
  cutHoldShort(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ status, holdUntilMs = 0 }) => {
      const nowMs = this.#clock.wallNow();
      return status === "on_hold" && holdUntilMs > nowMs ? { holdUntilMs: nowMs } : undefined;
    });
  }

  markResumed(call: CallRecord): Promise<CallRecord> {
    return this.#change(call, ({ status }) => (status === "on_hold" ? { status: "connected" } : undefined));
  }

  /** No person has answered. A menu may lead to a mailbox; anything else is final. */
  markAnsweredBy(call: CallRecord, answeredBy: NoPerson): Promise<CallRecord> {
    return this.#change(call, ({ answeredBy: known }) =>
      known === undefined || (known === "menu" && answeredBy !== "menu") ? { answeredBy } : undefined,
    );
  }

  /** Makes this the call's transfer in place of the one before; the record shows whether another one came first. */
  beginTransfer(
    call: CallRecord,
    { id, after }: { readonly id: string; readonly after: string | undefined },
  ): Promise<CallRecord> {
    return this.#change(call, ({ transferId }) =>
      transferId === after ? { transferId: id, transferBegunAtMs: this.#clock.wallNow() } : undefined,
    );
  }

  /** Writes into the call log that people read. False if an entry with this id is there already. */
  logEvent(callId: string, eventId: string, message: CallLogMessage): Promise<boolean> {
    return this.#calls.appendEvent(callId, { eventId, timestampMs: this.#clock.wallNow(), ...message });
  }

  /** Why the conversation ended; the first reason counts. */
  logConversationEnd(callId: string, reason: string): Promise<boolean> {
    return this.logEvent(callId, `conversation-ended:${callId}`, { type: "conversation.ended", details: { reason } });
  }

  /** The conversation was ended by a host that did not carry it: stores that and tells those who watch. */
  async concludeConversation(call: CallRecord, reason: string): Promise<void> {
    if (await this.logConversationEnd(call.callId, reason)) this.#publish(call, { name: "session_ended", reason });
  }

  /** Tells those who watch the conversation; `inPart` is what failed, if it is not the call as a whole. */
  announce(call: CallRecord, update: string, inPart?: CallFailure): void {
    const { status, failureCode: code, failureReason: reason = "" } = call;
    const failure = isEnded(status) && code !== undefined ? { code, reason } : inPart;
    this.#publish(call, { name: "call_update", update, status, ...(failure === undefined ? {} : { failure }) });
  }

  async #end(call: CallRecord, how: (record: CallRecord) => CallPatch | undefined): Promise<boolean> {
    if ((await this.#calls.get(call.callId)) === undefined) return false;
    let isMoved = false;
    const ended = await this.#change(call, (record) => {
      const patch = isEnded(record.status) ? undefined : how(record);
      isMoved = patch !== undefined;
      // Where its end is concluded from the service not knowing it, it was over when that began.
      return patch && { ...patch, endedAtMs: record.missingSinceMs ?? this.#clock.wallNow() };
    });
    if (isMoved) {
      await this.#callPlaces.giveBack(call.callId, 0);
      this.announce(ended, ended.status);
    }
    return isMoved;
  }

  async #change(call: CallRecord, decide: (record: CallRecord) => CallPatch | undefined): Promise<CallRecord> {
    return updateWithRetry({
      read: async () => (await this.#calls.get(call.callId)) ?? call,
      decide,
      write: (record, patch) => this.#calls.update(record.callId, record.version, patch),
    });
  }

  #publish({ sessionId, owner }: CallRecord, payload: z.input<typeof eventPayload>): void {
    const text = encodeMessage("event", sessionId, this.#clock.wallNow(), payload);
    this.#liveUpdates.publish({ sessionId, owner, text });
  }
}
