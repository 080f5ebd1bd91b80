/** What every conversation on this host shares, and how one is started on a transport. Names no vendor and no database. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { compileSessionCatalog } from "@voice/shared/catalog/compile-session-catalog";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Settings } from "@voice/shared/config/settings";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
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

/** The scenario of a session for which nobody chose one. */
const defaultScenario = "default";

export function createConversationServices(options: ConversationServiceOptions): ConversationServices {
  const { settings, state, catalog, providers, clock } = options;
  const ticker = createPlayoutTicker(clock);
  const retry = {
    maxAttempts: settings.retryMaxAttempts,
    backoffFactor: settings.retryBackoffFactor,
    jitter: settings.retryJitter,
  };

  function compileCatalog(scenario: string | undefined, config: SessionConfig | undefined): SessionCatalog {
    const overrides = Object.fromEntries(
      Object.entries(config?.agent_overrides ?? {}).map(([agent, { voice }]) => [
        agent,
        {
          voice: {
            ...(voice?.voice_name === undefined ? {} : { name: voice.voice_name }),
            style: voice?.voice_style,
            rate: voice?.voice_rate,
          },
        },
      ]),
    );
    return compileSessionCatalog(catalog, {
      scenario: scenario ?? settings.agentScenario ?? defaultScenario,
      overrides,
    });
  }

  return {
    async start(transport, request, config, onOpened) {
      const { conversation, resumed } = await openConversation(request, {
        store: state.sessions,
        compileCatalog: async (_sessionId, scenario) => compileCatalog(scenario, config),
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
      if (conversation.record.streamingMode === "TRANSCRIPTION") return startTranscriptionSession(common);
      return startVoiceSession({
        ...common,
        ticker,
        reply: {
          model: providers.languageModel,
          synthesiser: providers.synthesiser,
          tools: createToolRunner({ registry: options.tools, catalog: conversation.catalog, sessionId, clock }),
          language: settings.sttLanguage,
          wallNow: () => clock.wallNow(),
        },
        turnSettings: (silenceMs) => ({
          silenceMs: silenceMs ?? settings.vadSilenceTimeoutMs,
          silenceTimeoutMs: settings.vadTimeoutMs,
          bargeInEnabled: settings.bargeInEnabled,
          bargeInThresholdMs: settings.bargeInThresholdMs,
        }),
        onEffect: (effect) => logger.warn({ effect: effect.type }, "nobody on this channel can carry out an effect"),
      });
    },
  };
}
