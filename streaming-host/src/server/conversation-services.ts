/** What every conversation on this host shares, and how one is started on a transport. Names no vendor and no database. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallEffect, CarryOut } from "../calls/carry-out.ts";
import { createToolRunner } from "../pipeline/cascade/tool-runner.ts";
import { createListener } from "../pipeline/listening/listener.ts";
import type { LanguageModel } from "../providers/ports/language-model.ts";
import type { Recogniser } from "../providers/ports/recogniser.ts";
import type { Synthesiser } from "../providers/ports/synthesiser.ts";
import type { CreateVoiceActivityDetector } from "../providers/ports/voice-activity.ts";
import { createPlayoutTicker } from "../session/playout/playout-ticker.ts";
import { openConversation } from "../session/open-conversation.ts";
import type { ConversationRequest } from "../session/open-conversation.ts";
import { startVoiceSession } from "../session/voice-session.ts";
import type { LiveSession } from "../session/live-session.ts";
import { startTranscriptionSession } from "../session/transcription-session.ts";
import type { TranscriptionSessionOptions } from "../session/transcription-session.ts";
import { encodeMessage } from "../transports/envelope.ts";
import { compileForSession } from "./session-catalogs.ts";
import type { SessionConfig, Transport } from "../transports/transport.ts";

/** The vendors' parts, chosen by the composition root. */
export interface Providers {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly languageModel: LanguageModel;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
}

export interface ConversationServiceOptions {
  readonly hostId: string;
  readonly settings: Settings;
  readonly state: State;
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly providers: Providers;
  /** Does to the call what an agent asks for. Absent without a communication service. */
  readonly carryOut?: CarryOut | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ConversationServices {
  start(
    transport: Transport,
    request: ConversationRequest,
    config: SessionConfig | undefined,
    onOpened: (sessionId: string) => void,
  ): Promise<LiveSession>;
}

export function createConversationServices(options: ConversationServiceOptions): ConversationServices {
  const { settings, state, providers, clock } = options;
  const mcpServers = settings.mcpServers.map(({ name }) => name);
  const ticker = createPlayoutTicker(clock);
  const retry = {
    maxAttempts: settings.retryMaxAttempts,
    backoffFactor: settings.retryBackoffFactor,
    jitter: settings.retryJitter,
  };

  const catalogs = { settings, state, catalog: options.catalog, known: { tools: options.tools, mcpServers } };
  /** Who holds a session's socket on this host: the newer connection wins, and the older is told. */
  const live = new Map<string, LiveSession>();

  return {
    async start(transport, request, config, onOpened) {
      if (request.sessionId !== undefined) await live.get(request.sessionId)?.close("replaced");
      const { conversation, resumed } = await openConversation(request, {
        store: state.sessions,
        compileCatalog: (id, wish) => compileForSession(catalogs, id, wish, config),
        wallNow: () => clock.wallNow(),
        hostId: options.hostId,
        logger: options.logger,
      });
      const { sessionId } = conversation;
      const logger = options.logger.child({ sessionId });
      onOpened(sessionId);
      const common: TranscriptionSessionOptions = {
        transport,
        conversation,
        resumed,
        clock,
        logger,
        publish: (notice) =>
          state.liveUpdates.publish({
            sessionId,
            text: encodeMessage(notice.type, sessionId, clock.wallNow(), notice.payload),
          }),
        createListener: (hints, events) =>
          createListener(
            {
              inputRateHz: transport.sampleRateHz,
              recogniser: providers.recogniser,
              createVoiceActivityDetector: providers.createVoiceActivityDetector,
              sensitivity: settings.vadSensitivity,
              language: settings.sttLanguage,
              candidateLanguages: conversation.agent.speech.candidateLanguages,
              segmentationSilenceMs: settings.vadSilenceTimeoutMs,
              hints,
              retry,
              clock,
              logger,
              random: Math.random,
            },
            events,
          ),
      };
      const session =
        conversation.record.streamingMode === "TRANSCRIPTION"
          ? startTranscriptionSession(common)
          : startCascade(common);
      live.set(sessionId, session);
      void session.ended.then(() => (live.get(sessionId) === session ? live.delete(sessionId) : false));
      return session;
    },
  };

  async function carryOut(effect: CallEffect, callConnectionId: string | undefined, logger: Logger): Promise<void> {
    if (options.carryOut === undefined || callConnectionId === undefined) {
      logger.warn({ effect: effect.type }, "nobody on this channel can carry out an effect");
      return;
    }
    const outcome = await options.carryOut(effect, callConnectionId);
    if (!outcome.ok) logger.warn({ effect: effect.type, reason: outcome.reason }, "an effect was not carried out");
  }

  function startCascade(common: TranscriptionSessionOptions): LiveSession {
    const { conversation, logger } = common;
    return startVoiceSession({
      ...common,
      ticker,
      reply: {
        model: providers.languageModel,
        synthesiser: providers.synthesiser,
        tools: createToolRunner({
          registry: options.tools,
          catalog: conversation.catalog,
          sessionId: conversation.sessionId,
          clock,
        }),
        language: settings.sttLanguage,
        wallNow: () => clock.wallNow(),
      },
      turnSettings: (silenceMs) => ({
        silenceMs: silenceMs ?? settings.vadSilenceTimeoutMs,
        silenceTimeoutMs: settings.vadTimeoutMs,
        bargeInEnabled: settings.bargeInEnabled,
        bargeInThresholdMs: settings.bargeInThresholdMs,
      }),
      onEffect: (effect) => void carryOut(effect, conversation.record.callConnectionId, logger),
    });
  }
}
