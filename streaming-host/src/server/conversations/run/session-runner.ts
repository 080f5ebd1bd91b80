/** Runs opened sessions in their modes, and in another one if the first fails (FAIL-6). */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Agent } from "@voice/shared/catalog/agent";
import { partsOf, speaksAlike } from "@voice/shared/config/parts";
import { retryOf } from "@voice/shared/config/retry-of";
import { packOf } from "@voice/shared/languages/packs";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import { createIdentityChecks } from "@voice/shared/tools/identity/identity-checks";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallControl } from "../../../calls/call-control.ts";
import type { Host } from "../../../host/host.ts";
import { createToolRunner } from "../../../pipeline/cascade/tool-runner.ts";
import { prepareSpeech } from "../../../pipeline/speaking/prepare-speech.ts";
import type { CheckForChanges } from "../../../session/conversation/live-changes.ts";
import { createFlightRecorder, noFlightRecorder } from "../../../session/flight/flight-recorder.ts";
import type { FlightRecorder } from "../../../session/flight/flight-recorder.ts";
import { startVoiceSession } from "../../../session/modes/cascade/cascade-session.ts";
import type { VoiceSessionOptions } from "../../../session/modes/cascade/cascade-session-options.ts";
import { SessionWithFallback } from "../../../session/modes/fallback-session.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import { startRealtimeSession } from "../../../session/modes/realtime/realtime-session.ts";
import type { RealtimeSessionOptions } from "../../../session/modes/realtime/realtime-session-options.ts";
import { TranscriptionSession } from "../../../session/modes/transcription/transcription-session.ts";
import type { TranscriptionSessionOptions } from "../../../session/modes/transcription/transcription-session.ts";
import { fallbackPhrases } from "../../../session/output/fixed-phrases.ts";
import { PlayoutTicker } from "../../../session/playout/playout-ticker.ts";
import { languageSettings } from "../../../session/turn/language-settings.ts";
import { overhear } from "../../../session/voicemail/overhear.ts";
import { TargetEar } from "../../../session/voicemail/target-ear.ts";
import type { ListenToTarget } from "../../../session/voicemail/target-ear.ts";
import type { Companions } from "../companions/companions.ts";
import type { ConversationScope } from "../conversation-scope.ts";
import { lookWhenTold } from "./look-when-told.ts";
import { listenerFor, personListenerFor } from "./session-listeners.ts";
import { guessCountKey } from "./guess-count-key.ts";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import type { TransferEars } from "../../../calls/effects/warm-transfer.ts";
import type { EffectOutcome, HostEffect } from "../../../session/conversation/host-effects.ts";
import type { Transport } from "../../../transports/transport.ts";

/** What an agent can do beyond speaking. */
type Agency = Pick<RealtimeSessionOptions, "tools" | "onEffect">;

export class SessionRunner {
  readonly #host: Host;
  readonly #findTool: (name: string) => Tool | undefined;
  readonly #callControl: Pick<CallControl, "carryOut"> | undefined;
  readonly #idleMs: number;
  /** One timer paces the audio of all conversations. */
  readonly #ticker: PlayoutTicker;
  readonly #retry: RetrySettings;

  constructor(
    host: Host,
    findTool: (name: string) => Tool | undefined,
    callControl: Pick<CallControl, "carryOut"> | undefined,
    idleMs: number,
  ) {
    this.#host = host;
    this.#findTool = findTool;
    this.#callControl = callControl;
    this.#idleMs = idleMs;
    this.#ticker = new PlayoutTicker(host.clock, host.logger);
    this.#retry = retryOf(host.settings);
  }

  run(scope: ConversationScope, companions: Companions): LiveSession {
    const { streamingMode, callConnectionId } = scope.conversation.record;
    const common = this.#common(scope, companions);
    if (streamingMode === "TRANSCRIPTION") return new TranscriptionSession(common);
    if (callConnectionId === undefined) return this.#speak(scope, common, this.#agency(scope, companions));
    const ear = this.#targetEar(scope);
    return overhear(
      this.#speak(
        scope,
        common,
        this.#agency(scope, companions, () => ear.listen()),
      ),
      ear,
    );
  }

  #speak(scope: ConversationScope, common: CommonOptions, agency: Agency): LiveSession {
    const { realtimeModel: model } = scope.providers;
    if (scope.conversation.record.streamingMode !== "VOICE_LIVE" || model === undefined)
      return startVoiceSession(this.#cascadeOptions(scope, common, agency));
    const realtime = { ...this.#realtimeOptions(scope, common, agency), model };
    if (!this.#host.settingsNow().voiceLiveFallback) return startRealtimeSession(realtime);
    return new SessionWithFallback({
      start: (onLost) => startRealtimeSession({ ...realtime, onLost }),
      fallBack: (realtimeLoss) =>
        startVoiceSession({
          ...this.#cascadeOptions(scope, common, agency),
          realtimeLoss,
          heardBeforeMs: realtimeLoss.heardMs,
        }),
    });
  }

  /** What sessions of all modes are started with. */
  #common(scope: ConversationScope, companions: Companions): CommonOptions {
    const { transport, conversation, resumed, customer, telemetry, logger } = scope;
    return {
      transport,
      conversation,
      resumed,
      recorder: companions.recorder,
      announcement: companions.announcement,
      publish: companions.publish,
      probe: telemetry,
      flightRecorder: this.#flightRecorder(scope),
      callerName: () => customer.callerName,
      checkForChanges: this.#checkForChanges(scope),
      createListener: listenerFor(scope, this.#host),
      listenToPerson: personListenerFor(scope, this.#host),
      ticker: this.#ticker,
      clock: this.#host.clock,
      logger,
    };
  }

  #checkForChanges({ conversation, catalog, customer, logger }: ConversationScope): CheckForChanges {
    const { sessionId } = conversation;
    const { state, clock } = this.#host;
    const look = async () => {
      const [changed, record] = await Promise.all([catalog.look(), state.sessions.get(sessionId)]);
      if (typeof record !== "string") await customer.follow(record.profileId, logger);
      return changed;
    };
    return lookWhenTold(sessionId, state.changes, look, clock);
  }

  #flightRecorder({ conversation: { sessionId }, logger }: ConversationScope): FlightRecorder {
    const { settingsNow, state, clock } = this.#host;
    if (!settingsNow().flightRecorderEnabled) return noFlightRecorder;
    return createFlightRecorder(
      (segment) => {
        state.flightLog.append(sessionId, segment, maxSegments).catch((error: unknown) => {
          logger.warn({ error }, "a segment of the flight record could not be stored");
        });
      },
      () => clock.wallNow(),
    );
  }

  #agency(scope: ConversationScope, companions: Companions, listenToTarget?: ListenToTarget): Agency {
    const { conversation, transport, customer, ending, logger } = scope;
    const { settings, settingsNow, state, clock } = this.#host;
    const { sessionId } = conversation;
    return {
      tools: createToolRunner({
        registry: { get: this.#findTool },
        catalog: () => conversation.catalog,
        sessionId,
        clock,
        customer: () => customer.forTools(sessionId),
        checks: createIdentityChecks(
          state.counters,
          () => guessCountKey(customer.profileId, guesserOf(scope), sessionId),
          settings.environment === "development",
        ),
        resultLimit: settingsNow().toolResultLimit,
        writeDown: (begun) => conversation.beginCalls(begun),
      }),
      onEffect: (effect, onHold) => {
        const outcome = carryOutEffect(effect, {
          ears: { onHold, listenToTarget },
          transport,
          record: conversation.record,
          callControl: this.#callControl,
          endConversation: () => ending.close("finished"),
          logger,
        });
        if (effect.type === "transfer" || effect.type === "escalate") companions.onTransfer(outcome);
        return outcome;
      },
    };
  }

  #targetEar({ conversation, transport, providers, logger }: ConversationScope): TargetEar {
    const { settingsNow } = this.#host;
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

  #cascadeOptions(scope: ConversationScope, common: CommonOptions, { tools, onEffect }: Agency): VoiceSessionOptions {
    const { providers, conversation } = scope;
    const { clock } = this.#host;
    const settings = this.#host.settingsNow();
    return {
      ...common,
      lostMs: scope.lostMs,
      onEffect,
      reply: {
        model: providers.languageModel,
        synthesiser: synthesiserOf(conversation.sessionId, providers.synthesiser),
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
        idleMs: this.#idleMs,
        deadAirMs: settings.answerTimeoutMs,
        fillerMs: settings.fillerDelayMs,
      }),
      prepareFallback: (agent) => void this.#prepareFallback(agent, scope),
    };
  }

  /** Never rejects: words that cannot be synthesised now are tried again when they are needed. */
  async #prepareFallback({ voice, speech }: Agent, scope: ConversationScope): Promise<void> {
    const { transport, providers, logger } = scope;
    const language = speech.language ?? this.#host.settingsNow().sttLanguage;
    const how = { voice, language, sampleRateHz: transport.sampleRateHz };
    await warnIfItFails(logger, {}, "the words for when something fails could not be prepared", () =>
      prepareSpeech(fallbackPhrases(packOf(language).sentences), how, providers.synthesiser),
    );
  }

  #realtimeOptions(scope: ConversationScope, common: CommonOptions, { tools, onEffect }: Agency) {
    const { settings, settingsNow, random } = this.#host;
    const now = settingsNow();
    return {
      ...common,
      tools,
      onEffect,
      synthesiser: synthesiserOf(scope.conversation.sessionId, scope.providers.synthesiser),
      turn: {
        silenceMs: now.vadSilenceTimeoutMs,
        bargeInEnabled: now.bargeInEnabled,
        language: now.sttLanguage,
        noiseReduction: now.realtimeNoiseReduction,
        idleMs: this.#idleMs,
        deadAirMs: now.answerTimeoutMs,
        fillerMs: speaksAlike(partsOf(settings)) ? now.fillerDelayMs : 0,
      },
      retry: this.#retry,
      random,
    };
  }
}

type CommonOptions = TranscriptionSessionOptions & Omit<VoiceSessionOptions, "reply" | "turnSettings" | "onEffect">;

/** Segments stored per conversation: about one per reply, a few kilobytes each. */
const maxSegments = 200;

/** Undefined where nothing tells the caller from others: a hidden number, or none. */
function guesserOf({ request, conversation: { record } }: ConversationScope): string | undefined {
  return request.phoneNumber ?? record.owner ?? request.client;
}

/** Names the session in each request, so that the pool can serve waiting sessions in turn. */
function synthesiserOf(sessionId: string, synthesiser: Synthesiser): Pick<Synthesiser, "synthesise"> {
  return {
    synthesise: (request, events, signal) => synthesiser.synthesise({ ...request, sessionId }, events, signal),
  };
}

/**
 * Carries out an effect that a tool requests for the call: through the peer if it holds the line, otherwise through
 * call control.
 */
async function carryOutEffect(
  effect: HostEffect,
  call: {
    readonly transport: Transport;
    readonly record: SessionRecord;
    readonly callControl: Pick<CallControl, "carryOut"> | undefined;
    readonly ears: TransferEars;
    /** Ends the conversation; the peer continues with the caller. */
    readonly endConversation: () => void;
    readonly logger: Logger;
  },
): Promise<EffectOutcome> {
  const { transport, record, callControl, ears, logger } = call;
  if (transport.handBack?.(effect) === true) {
    call.endConversation();
    return { ok: true };
  }
  if (callControl === undefined || record.callConnectionId === undefined) {
    logger.warn({ effect: effect.type }, "nobody on this channel can carry out an effect");
    return { ok: false, reason: "this is not a phone call" };
  }
  const outcome = await callControl.carryOut(effect, record.callConnectionId, ears);
  if (!outcome.ok) logger.warn({ effect: effect.type, reason: outcome.reason }, "an effect was not carried out");
  return outcome;
}
