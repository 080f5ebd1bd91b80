/**
 * Call control: consumes the call events of the whole service, whichever process published them, and does to calls what
 * they ask for (docs/calls.md). Any host may get any event; none keeps anything about a call in memory.
 */
import { announcedStatus, isAwaitingAnswer, isEnded, shortEventType } from "@voice/shared/calls/call-transitions";
import type { Settings } from "@voice/shared/config/settings";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallRecord } from "@voice/shared/state/ports/call-store";
import type { State } from "@voice/shared/state/ports/state";
import type { CallAutomation } from "../providers/ports/call-automation.ts";
import { endAbandonedConversation } from "./abandoned-conversation.ts";
import { answerCall, placeCall } from "./begin-call.ts";
import { createCallLedger } from "./call-ledger.ts";
import { createCarryOut } from "./carry-out.ts";
import type { CarryOut } from "./carry-out.ts";
import { hangUpAfterConversation, hangUpCall, hangUpUnwanted } from "./end-call.ts";
import { resumeCall } from "./hold-call.ts";
import { failedStream, recoverMedia } from "./media-recovery.ts";
import { watchOverdueCalls } from "./overdue-calls.ts";

export interface CallControlOptions {
  readonly state: Pick<State, "calls" | "events" | "liveUpdates" | "sessions">;
  readonly automation: CallAutomation;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CallControl {
  readonly carryOut: CarryOut;
  /** The service streams the call's audio, whether or not its callback has come yet (MEDIA-6). Never rejects. */
  noteStream(call: CallRecord, callConnectionId: string): Promise<void>;
  /** A machine has taken the call: written down, and shown to those who watch. */
  noteMachine(callConnectionId: string, details: { readonly evidence: string; readonly answer: string }): Promise<void>;
  /** The conversation on this call has come to its end. Never rejects. */
  hangUp(callConnectionId: string, reason: string): Promise<void>;
  /** No more events: other hosts take them, and the calls that come of them. Those here are still looked after. Idempotent. */
  drain(): Promise<void>;
  /** Idempotent; events in hand are finished or left to another host. */
  close(): Promise<void>;
}

export async function startCallControl(options: CallControlOptions): Promise<CallControl> {
  const { state, automation, settings, clock, logger } = options;
  const { calls, sessions } = state;
  const ledger = createCallLedger(calls, state.liveUpdates, clock);
  const holdAudioUrl = settings.commHoldAudio;
  const dependencies = { calls, sessions, ledger, automation, settings, holdAudioUrl, clock, logger };

  /** The service has no last event for a call that it has forgotten. */
  async function concludeIfOver(callId: string, signal?: AbortSignal): Promise<void> {
    const call = await calls.get(callId);
    if (call !== undefined && isEnded(call.status)) await endAbandonedConversation(call, dependencies, signal);
  }

  const stopWatching = watchOverdueCalls({
    ...dependencies,
    async end(call, status, reason) {
      // An unanswered call has failed whatever the service makes of hanging up; a long one ends with the service's event.
      if (status === "failed" && !(await ledger.end(call, status, reason))) return;
      if (call.callConnectionId !== undefined) await hangUpCall(call, reason, dependencies);
      await concludeIfOver(call.callId);
    },
    resume: (call) => resumeCall(call, dependencies),
  });
  const unsubscribe = await state.events.subscribe({
    group: "call-control",
    domain: "call",
    handlers: {
      "call.initiation-requested": ({ id, data }) => placeCall(data.call_id, id, dependencies),
      "call.inbound-received": ({ id, data }) =>
        answerCall({ callId: data.call_id, incomingCallContext: data.incoming_call_context }, id, dependencies),
      "call.termination-requested": async ({ data }, { signal }) => {
        const call = await calls.get(data.call_id);
        if (call === undefined) return;
        await hangUpCall(call, data.reason, dependencies);
        await concludeIfOver(data.call_id, signal);
      },
      "call.callback-received": async ({ data }, { signal }) => {
        const call = await calls.get(data.call_id);
        if (call === undefined) return;
        const type = shortEventType(data.callback_type);
        ledger.show(call, type);
        const failed = failedStream(type);
        if (!isEnded(call.status)) {
          if (failed !== undefined) await recoverMedia(call, failed, dependencies);
          return;
        }
        const announced = announcedStatus(type);
        if (announced === "connected") await hangUpUnwanted(call, dependencies);
        else if (announced !== undefined) await endAbandonedConversation(call, dependencies, signal);
      },
    },
  });

  let leaving: Promise<void> | undefined;
  const drain = (): Promise<void> => (leaving ??= unsubscribe());
  return {
    carryOut: createCarryOut({
      ...dependencies,
      destinations: settings.commDestinations,
      transferTimeoutMs: settings.commCallTimeoutMs,
    }),
    async noteStream(call, callConnectionId) {
      if (!isAwaitingAnswer(call.status)) return;
      try {
        await ledger.connect(call, callConnectionId);
      } catch (error) {
        logger.warn({ error, callId: call.callId, code: toVoiceError(error).code }, "a stream was not written down");
      }
    },
    async noteMachine(callConnectionId, details) {
      const call = await calls.getByConnection(callConnectionId);
      if (call === undefined) return;
      const isNew = await ledger.note(call.callId, `voicemail:${call.callId}`, "voicemail.detected", details);
      if (isNew) ledger.show(await ledger.answeredByMachine(call), "voicemail detected");
    },
    async hangUp(callConnectionId, reason) {
      try {
        await hangUpAfterConversation(callConnectionId, reason, { ...dependencies, events: state.events });
      } catch (error) {
        logger.error({ error, code: toVoiceError(error).code }, "a call whose conversation is over was not hung up");
      }
    },
    drain,
    close() {
      stopWatching();
      return drain();
    },
  };
}
