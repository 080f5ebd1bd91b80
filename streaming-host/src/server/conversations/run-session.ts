/** Runs an opened session in its mode (FAIL-6: and in another one when the first can go on no longer). */
import { endOfTurnEstimator } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import type { Synthesiser, Voice } from "@voice/provider-kit/ports/synthesiser";
import { partsOf, speaksAlike } from "@voice/shared/config/parts";
import { languageIn } from "@voice/shared/conversation/spoken-language";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { createToolRunner } from "../../pipeline/cascade/tool-runner.ts";
import { prepareSpeech } from "../../pipeline/speaking/prepare-speech.ts";
import type { LookForChanges } from "../../session/conversation/live-changes.ts";
import { startVoiceSession } from "../../session/modes/cascade/cascade-session.ts";
import type { VoiceSessionOptions } from "../../session/modes/cascade/cascade-session-options.ts";
import { startWithFallback } from "../../session/modes/fallback-session.ts";
import type { LiveSession } from "../../session/modes/live-session.ts";
import { startRealtimeSession } from "../../session/modes/realtime/realtime-session.ts";
import type { RealtimeSessionOptions } from "../../session/modes/realtime/realtime-session-options.ts";
import { startTranscriptionSession } from "../../session/modes/transcription/transcription-session.ts";
import type { TranscriptionSessionOptions } from "../../session/modes/transcription/transcription-session.ts";
import { fallbackPhrases } from "../../session/output/fixed-phrases.ts";
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { BoundProfile } from "./bound-profile.ts";
import { carryOutEffect } from "./carry-out-effect.ts";
import type { SharedParts } from "./shared-parts.ts";

/** The parts that belong to one opened session, in whatever mode it runs. */
export interface SessionParts extends Omit<TranscriptionSessionOptions, "callerName"> {
  readonly announcement: string | undefined;
  /** The host that had the conversation before did not hand it over: something may be lost. */
  readonly hasGap: boolean;
  readonly profile: BoundProfile;
  readonly phoneNumber: string | undefined;
  readonly lookForChanges: LookForChanges;
  /** Ends the session as a whole, whichever mode it is in by then. */
  readonly close: (reason: CloseReason) => void;
}

export function runSession(parts: SessionParts, shared: SharedParts): LiveSession {
  const { streamingMode } = parts.conversation.record;
  const session = { ...parts, callerName: () => parts.profile.callerName };
  if (streamingMode === "TRANSCRIPTION") return startTranscriptionSession(session);
  const agency = agencyOf(parts, shared);
  const { realtimeModel: model } = shared.providers;
  if (streamingMode !== "VOICE_LIVE" || model === undefined)
    return startVoiceSession(cascadeOptions(parts, shared, agency));
  const realtime = { ...session, ...agency, ...realtimeOptions(parts, shared), model };
  if (!shared.settings.voiceLiveFallback) return startRealtimeSession(realtime);
  return startWithFallback({
    start: (onLost) => startRealtimeSession({ ...realtime, onLost }),
    fallBack: (realtimeLoss) =>
      startVoiceSession({
        ...cascadeOptions(parts, shared, agency),
        realtimeLoss,
        heardBeforeMs: realtimeLoss.heardMs,
      }),
  });
}

/** How an agent acts beyond speaking. */
type Agency = Pick<RealtimeSessionOptions, "tools" | "onEffect">;

function agencyOf(parts: SessionParts, { settings, state, findTool, callControl, clock }: SharedParts): Agency {
  const { conversation, transport, profile, logger } = parts;
  return {
    tools: createToolRunner({
      registry: { get: findTool },
      catalog: () => conversation.catalog,
      sessionId: conversation.sessionId,
      clock,
      customer: () => profile.forTools(conversation.sessionId),
      checks: createIdentityChecks({
        attempts: state.attempts,
        customer: () => guessedCustomer(parts),
        showsCodes: settings.environment === "development",
      }),
      resultLimit: settings.toolResultLimit,
      writeDown: (begun) => conversation.beginCalls(begun),
    }),
    onEffect: (effect) =>
      carryOutEffect(effect, {
        transport,
        record: conversation.record,
        callControl,
        endConversation: () => parts.close("finished"),
        logger,
      }),
  };
}

/**
 * A customer that is kept is the same in every session. The one that a session has by default has everywhere the same
 * details: there the count is of who guesses, as far as that is known.
 */
function guessedCustomer({ profile, phoneNumber, conversation: { record } }: SessionParts): string {
  if (profile.profileId !== undefined) return profile.profileId;
  const guesser = phoneNumber ?? record.owner;
  return guesser === undefined ? `default in ${record.sessionId}` : `default for ${guesser}`;
}

function cascadeOptions(parts: SessionParts, shared: SharedParts, { tools, onEffect }: Agency): VoiceSessionOptions {
  const { settings, providers, clock, ticker, idleMs } = shared;
  return {
    ...parts,
    callerName: () => parts.profile.callerName,
    ticker,
    reply: {
      model: providers.languageModel,
      synthesiser: synthesiserOf(parts.conversation.sessionId, providers.synthesiser),
      tools,
      language: languageOf(parts, shared),
      wallNow: () => clock.wallNow(),
    },
    turnSettings: (silenceMs) => ({
      silenceMs: silenceMs ?? settings.vadSilenceTimeoutMs,
      estimator: endOfTurnEstimator,
      silenceTimeoutMs: settings.vadTimeoutMs,
      bargeInEnabled: settings.bargeInEnabled,
      bargeInThresholdMs: settings.bargeInThresholdMs,
      idleMs,
      fillerMs: settings.fillerDelayMs,
    }),
    onEffect,
    prepareFallback: (voice) => void prepareFallback(voice, parts, shared),
  };
}

/** What the peer has named, also since the conversation began. */
function languageOf({ conversation }: SessionParts, { settings }: SharedParts): string {
  return languageIn(conversation.memory) ?? settings.sttLanguage;
}

/** Where requests have to wait, sessions take turns. */
function synthesiserOf(sessionId: string, synthesiser: Synthesiser): Synthesiser {
  return {
    synthesise: (request, events, signal) => synthesiser.synthesise({ ...request, sessionId }, events, signal),
    pool: () => synthesiser.pool(),
    close: () => synthesiser.close(),
  };
}

/** Never rejects: the words are made when they are needed, if they can be then. */
async function prepareFallback(voice: Voice, parts: SessionParts, shared: SharedParts): Promise<void> {
  const { transport, logger } = parts;
  const { providers } = shared;
  const how = { voice, language: languageOf(parts, shared), sampleRateHz: transport.sampleRateHz };
  try {
    await prepareSpeech(fallbackPhrases, how, providers.synthesiser);
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "the words for when something fails could not be prepared");
  }
}

function realtimeOptions({ conversation }: SessionParts, { settings, providers, retry, ticker, idleMs }: SharedParts) {
  return {
    synthesiser: synthesiserOf(conversation.sessionId, providers.synthesiser),
    turn: {
      silenceMs: settings.vadSilenceTimeoutMs,
      bargeInEnabled: settings.bargeInEnabled,
      language: settings.sttLanguage,
      idleMs,
      fillerMs: speaksAlike(partsOf(settings)) ? settings.fillerDelayMs : 0,
    },
    retry,
    ticker,
    random: Math.random,
  };
}
