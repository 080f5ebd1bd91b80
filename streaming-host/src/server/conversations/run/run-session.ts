/** Runs an opened session in its mode, and in another one if the first fails (FAIL-6). */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Agent } from "@voice/shared/catalog/agent";
import { partsOf, speaksAlike } from "@voice/shared/config/parts";
import { packOf } from "@voice/shared/languages/packs";
import { toVoiceError } from "@voice/shared/platform/errors";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import { createToolRunner } from "../../../pipeline/cascade/tool-runner.ts";
import { prepareSpeech } from "../../../pipeline/speaking/prepare-speech.ts";
import type { EffectOutcome } from "../../../session/conversation/host-effects.ts";
import type { CheckForChanges } from "../../../session/conversation/live-changes.ts";
import { startVoiceSession } from "../../../session/modes/cascade/cascade-session.ts";
import type { VoiceSessionOptions } from "../../../session/modes/cascade/cascade-session-options.ts";
import { startWithFallback } from "../../../session/modes/fallback-session.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import { startRealtimeSession } from "../../../session/modes/realtime/realtime-session.ts";
import type { RealtimeSessionOptions } from "../../../session/modes/realtime/realtime-session-options.ts";
import { startTranscriptionSession } from "../../../session/modes/transcription/transcription-session.ts";
import type { TranscriptionSessionOptions } from "../../../session/modes/transcription/transcription-session.ts";
import { fallbackPhrases } from "../../../session/output/fixed-phrases.ts";
import { languageSettings } from "../../../session/turn/language-settings.ts";
import { overhear } from "../../../session/voicemail/overhear.ts";
import { TargetEar } from "../../../session/voicemail/target-ear.ts";
import type { ListenToTarget } from "../../../session/voicemail/target-ear.ts";
import type { CloseReason } from "../../../transports/close-reasons.ts";
import type { BoundCustomer } from "../open/bound-customer.ts";
import { carryOutEffect } from "./carry-out-effect.ts";
import { guessedCustomer } from "./guessed-customer.ts";
import type { SharedParts } from "../shared-parts.ts";

/** The parts that belong to one opened session, in whatever mode it runs. */
export interface SessionParts extends Omit<TranscriptionSessionOptions, "callerName"> {
  readonly announcement: string | undefined;
  /** The previous host did not hand the conversation over, so that something may be lost. */
  readonly hasGap: boolean;
  readonly profile: BoundCustomer;
  readonly phoneNumber: string | undefined;
  readonly client: string | undefined;
  readonly checkForChanges: CheckForChanges;
  /** The caller is being transferred to a person. */
  readonly onTransfer: (outcome: Promise<EffectOutcome>) => void;
  /** Ends the session as a whole, whatever its current mode. */
  readonly close: (reason: CloseReason) => void;
}

export function runSession(parts: SessionParts, shared: SharedParts): LiveSession {
  if (parts.conversation.record.streamingMode === "TRANSCRIPTION")
    return startTranscriptionSession({ ...parts, callerName: () => parts.profile.callerName });
  if (parts.conversation.record.callConnectionId === undefined)
    return runSpeaking(parts, shared, agencyOf(parts, shared));
  const ear = targetEar(parts, shared);
  const agency = agencyOf(parts, shared, () => ear.listen());
  return overhear(runSpeaking(parts, shared, agency), ear);
}

function runSpeaking(parts: SessionParts, shared: SharedParts, agency: Agency): LiveSession {
  const { conversation, profile } = parts;
  const { realtimeModel: model } = shared.providers;
  if (conversation.record.streamingMode !== "VOICE_LIVE" || model === undefined)
    return startVoiceSession(cascadeOptions(parts, shared, agency));
  const session = { ...parts, callerName: () => profile.callerName };
  const realtime = { ...session, ...agency, ...realtimeOptions(parts, shared), model };
  if (!shared.settingsNow().voiceLiveFallback) return startRealtimeSession(realtime);
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

/** What an agent can do beyond speaking. */
type Agency = Pick<RealtimeSessionOptions, "tools" | "onEffect">;

function agencyOf(
  parts: SessionParts,
  { settings, settingsNow, state, findTool, callControl, clock }: SharedParts,
  listenToTarget?: ListenToTarget,
): Agency {
  const { conversation, transport, profile, logger } = parts;
  return {
    tools: createToolRunner({
      registry: { get: findTool },
      catalog: () => conversation.catalog,
      sessionId: conversation.sessionId,
      clock,
      customer: () => profile.forTools(conversation.sessionId),
      checks: createIdentityChecks({
        counters: state.counters,
        customer: () => guessedCustomer(parts.profile.profileId, guesserOf(parts), conversation.sessionId),
        showsCodes: settings.environment === "development",
      }),
      resultLimit: settingsNow().toolResultLimit,
      writeDown: (begun) => conversation.beginCalls(begun),
    }),
    onEffect(effect, onHold) {
      const outcome = carryOutEffect(effect, {
        ears: { onHold, listenToTarget },
        transport,
        record: conversation.record,
        callControl,
        endConversation: () => parts.close("finished"),
        logger,
      });
      if (effect.type === "transfer" || effect.type === "escalate") parts.onTransfer(outcome);
      return outcome;
    },
  };
}

/** Undefined where nothing tells the caller from others: a hidden number, or none. */
function guesserOf({ phoneNumber, client, conversation: { record } }: SessionParts): string | undefined {
  return phoneNumber ?? record.owner ?? client;
}

function targetEar(
  { conversation, transport, logger }: SessionParts,
  { settingsNow, providers }: SharedParts,
): TargetEar {
  return new TargetEar({
    recogniser: providers.recogniser,
    language: () => ({
      tag: conversation.agent.speech.language ?? settingsNow().sttLanguage,
      pack: conversation.language,
    }),
    inputRateHz: transport.sampleRateHz,
    createVoiceActivityDetector: providers.createVoiceActivityDetector,
    sensitivity: settingsNow().vadSensitivity,
    logger,
  });
}

function cascadeOptions(parts: SessionParts, shared: SharedParts, { tools, ...agency }: Agency): VoiceSessionOptions {
  const { settingsNow, providers, clock, ticker, idleMs } = shared;
  const settings = settingsNow();
  return {
    ...parts,
    callerName: () => parts.profile.callerName,
    ticker,
    reply: {
      model: providers.languageModel,
      synthesiser: synthesiserOf(parts.conversation.sessionId, providers.synthesiser),
      tools,
      language: settings.sttLanguage,
      wallNow: () => clock.wallNow(),
    },
    turnSettings: (silenceMs, language) => ({
      silenceMs: silenceMs ?? settings.vadSilenceTimeoutMs,
      estimator: languageSettings(language).estimator,
      silenceTimeoutMs: settings.vadTimeoutMs,
      bargeInEnabled: settings.bargeInEnabled,
      bargeInThresholdMs: settings.bargeInThresholdMs,
      idleMs,
      deadAirMs: settings.answerTimeoutMs,
      fillerMs: settings.fillerDelayMs,
    }),
    ...agency,
    prepareFallback: (agent) => void prepareFallback(agent, parts, shared),
  };
}

/** When requests have to wait, sessions take turns. */
function synthesiserOf(sessionId: string, synthesiser: Synthesiser): Synthesiser {
  return {
    synthesise: (request, events, signal) => synthesiser.synthesise({ ...request, sessionId }, events, signal),
    pool: () => synthesiser.pool(),
    close: () => synthesiser.close(),
  };
}

/** Never rejects: words that cannot be synthesised now are tried again when they are needed. */
async function prepareFallback({ voice, speech }: Agent, parts: SessionParts, shared: SharedParts): Promise<void> {
  const { transport, logger } = parts;
  const { providers, settingsNow } = shared;
  const language = speech.language ?? settingsNow().sttLanguage;
  const how = { voice, language, sampleRateHz: transport.sampleRateHz };
  try {
    await prepareSpeech(fallbackPhrases(packOf(language).sentences), how, providers.synthesiser);
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "the words for when something fails could not be prepared");
  }
}

function realtimeOptions(
  { conversation }: SessionParts,
  { settings, settingsNow, providers, retry, ticker, idleMs }: SharedParts,
) {
  const now = settingsNow();
  return {
    synthesiser: synthesiserOf(conversation.sessionId, providers.synthesiser),
    turn: {
      silenceMs: now.vadSilenceTimeoutMs,
      bargeInEnabled: now.bargeInEnabled,
      language: now.sttLanguage,
      idleMs,
      deadAirMs: now.answerTimeoutMs,
      fillerMs: speaksAlike(partsOf(settings)) ? now.fillerDelayMs : 0,
    },
    retry,
    ticker,
    random: Math.random,
  };
}
