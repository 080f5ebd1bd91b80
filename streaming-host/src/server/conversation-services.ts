/** What every conversation on this host shares, and how one is started on a transport. Names no vendor and no database. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { renderTemplate } from "@voice/shared/catalog/template";
import type { Settings } from "@voice/shared/config/settings";
import { contextOf } from "@voice/shared/conversation/call-context";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { Tool } from "@voice/shared/tools/tool";
import type { CallControl } from "../calls/call-control.ts";
import { createToolRunner } from "../pipeline/cascade/tool-runner.ts";
import { createSummaryWriter } from "../pipeline/cascade/write-summary.ts";
import { createListener } from "../pipeline/listening/listener.ts";
import type { LanguageModel } from "../providers/ports/language-model.ts";
import type { RealtimeModel } from "../providers/ports/realtime-model.ts";
import type { Recogniser } from "../providers/ports/recogniser.ts";
import type { Synthesiser } from "../providers/ports/synthesiser.ts";
import type { CreateVoiceActivityDetector } from "../providers/ports/voice-activity.ts";
import { startWithFallback, type SessionLoss } from "../session/fallback-session.ts";
import { createPlayoutTicker } from "../session/playout/playout-ticker.ts";
import { noSuchAgent, openConversation } from "../session/open-conversation.ts";
import type { ConversationRequest } from "../session/open-conversation.ts";
import { startRealtimeSession } from "../session/realtime-session.ts";
import type { Conversation } from "../session/conversation.ts";
import type { EffectOutcome, HostEffect } from "../session/host-effects.ts";
import { defaultIdleMs } from "../session/turn/turn-settings.ts";
import { startVoiceSession } from "../session/voice-session.ts";
import type { LookForChanges } from "../session/live-changes.ts";
import type { LiveSession } from "../session/live-session.ts";
import { watchForVoicemail } from "../session/voicemail/watch-voicemail.ts";
import type { VoicemailWatch } from "../session/voicemail/watch-voicemail.ts";
import { startTranscriptionSession } from "../session/transcription-session.ts";
import type { TranscriptionSessionOptions } from "../session/transcription-session.ts";
import type { FinishedTurn } from "../telemetry/turn-telemetry.ts";
import { createBoundProfile, noSuchProfile } from "./bound-profile.ts";
import type { BoundProfile } from "./bound-profile.ts";
import { carryOutEffect } from "./carry-out-effect.ts";
import { createNoticePublisher } from "./publish-notices.ts";
import { notRecorded } from "./session-recordings.ts";
import type { SessionRecordings } from "./session-recordings.ts";
import { tellWatchers } from "./tell-watchers.ts";
import { compileForSession, createLiveCatalog } from "./session-catalogs.ts";
import type { SessionConfig, SessionNotice, Transport } from "../transports/transport.ts";

/** The vendors' parts, chosen by the composition root. */
export interface Providers {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
  readonly languageModel: LanguageModel;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  /** Absent: VOICE_LIVE sessions are refused. */
  readonly realtimeModel?: RealtimeModel | undefined;
}

export interface ConversationServiceOptions {
  readonly hostId: string;
  readonly settings: Settings;
  readonly state: State;
  readonly catalog: Catalog;
  /** The tools that ship with the product; what an agent may list. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Those and the tool servers', as they are now. */
  readonly findTool: (name: string) => Tool | undefined;
  readonly providers: Providers;
  /** Does to the call what an agent asks for. Absent without a communication service. */
  readonly callControl?: Pick<CallControl, "carryOut" | "noteMachine"> | undefined;
  /** Absent: nobody is recorded. */
  readonly recordings?: SessionRecordings | undefined;
  readonly onTurnMetrics?: ((turn: FinishedTurn) => void) | undefined;
  /** Everything that any peer is told. */
  readonly onNotice?: ((notice: SessionNotice) => void) | undefined;
  /** IDLE-1; absent: what suits people. */
  readonly idleMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

type StartWish = Pick<ConversationRequest, "sessionId" | "scenario" | "agent" | "profileId">;

export interface ConversationServices {
  start(
    transport: Transport,
    request: ConversationRequest,
    config: SessionConfig | undefined,
    onOpened: (sessionId: string) => void,
  ): Promise<LiveSession>;
  /** HS-2: rejects with a `BadRequestError` when the scenario, the agent or the profile that a client names does not exist. */
  checkStart(wish: StartWish, config?: SessionConfig): Promise<void>;
}

interface ModeOptions extends TranscriptionSessionOptions {
  readonly announcement: string | undefined;
  readonly hasGap: boolean;
  readonly profile: BoundProfile;
  readonly lookForChanges: LookForChanges;
}

/** For clients that asked for none: nobody ever seems to speak, and turns end by the recogniser's finals. */
const createDeafDetector: CreateVoiceActivityDetector = () => ({ isSpeech: () => false, close: () => undefined });

export function createConversationServices(options: ConversationServiceOptions): ConversationServices {
  const { settings, state, providers, clock } = options;
  const idleMs = options.idleMs ?? defaultIdleMs;
  const mcpServers = settings.mcpServers.map(({ name }) => name);
  const ticker = createPlayoutTicker(clock, options.logger);
  const retry = {
    maxAttempts: settings.retryMaxAttempts,
    backoffFactor: settings.retryBackoffFactor,
    jitter: settings.retryJitter,
  };

  const { languageModel } = providers;
  const writeSummary = languageModel.followsPrompts === true ? createSummaryWriter(languageModel, clock) : undefined;

  const catalogs = { settings, state, catalog: options.catalog, known: { tools: options.tools, mcpServers } };
  /** Who holds a session's socket on this host: the newer connection wins, and the older is told. */
  const live = new Map<string, LiveSession>();

  /** Sockets that open the same session at the same time take their turn; otherwise neither would see the other. */
  const opening = new Map<string, Promise<unknown>>();

  return {
    async start(transport, request, config, onOpened) {
      const { sessionId } = request;
      if (sessionId === undefined) return open(transport, request, config, onOpened);
      const before = opening.get(sessionId);
      const mine = (async () => {
        await before?.catch(() => undefined); // its own socket hears of its failure
        await live.get(sessionId)?.close("replaced");
        return open(transport, request, config, onOpened);
      })();
      opening.set(sessionId, mine);
      try {
        return await mine;
      } finally {
        if (opening.get(sessionId) === mine) opening.delete(sessionId);
      }
    },
    async checkStart({ sessionId, scenario, agent, profileId }, config) {
      if (profileId !== undefined && (await state.profiles.get(profileId)) === undefined) throw noSuchProfile();
      if (scenario === undefined && agent === undefined) return;
      const known = sessionId === undefined ? "unknown" : await state.sessions.get(sessionId);
      const remembered = typeof known === "string" ? undefined : known.scenario;
      const catalog = await compileForSession(catalogs, sessionId ?? "", { asked: scenario, remembered }, config);
      if (agent !== undefined && catalog.agent(agent) === undefined) throw noSuchAgent();
    },
  };

  async function open(
    transport: Transport,
    request: ConversationRequest,
    config: SessionConfig | undefined,
    onOpened: (sessionId: string) => void,
  ): Promise<LiveSession> {
    let session: LiveSession | undefined;
    const profile = createBoundProfile(state.profiles);
    if (request.profileId !== undefined) await profile.bind(request.profileId);
    const catalog = createLiveCatalog(catalogs, config);
    const { conversation, resumed, hasGap } = await openConversation(request, {
      store: state.sessions,
      compileCatalog: catalog.compile,
      wallNow: () => clock.wallNow(),
      hostId: options.hostId,
      logger: options.logger,
      writeSummary,
      onTurnMetrics: (id, metrics) => options.onTurnMetrics?.({ sessionId: id, ...metrics }),
      onTakenOver: () => void session?.close("replaced"),
    });
    const { sessionId } = conversation;
    const logger = options.logger.child({ sessionId });
    await followProfile(conversation.record.profileId, profile, logger);
    onOpened(sessionId);
    // A conversation that goes on was begun by somebody who answered.
    const voicemail = resumed ? undefined : watchVoicemail(transport, request, conversation, logger);
    const isRecorded = request.isRecorded ?? settings.recordingEnabled;
    const recording = isRecorded ? options.recordings?.start({ transport, conversation, resumed, logger }) : undefined;
    const { recorder, announcement, end } = recording ?? notRecorded;
    const watchers = tellWatchers(createNoticePublisher(state.liveUpdates, sessionId, clock), transport.channel);
    const common: ModeOptions = {
      transport,
      conversation,
      resumed,
      recorder,
      announcement,
      hasGap,
      clock,
      logger,
      publish(notice) {
        options.onNotice?.(notice);
        watchers.tell(notice);
        if (notice.type === "transcript" && notice.payload.speaker === "user") voicemail?.read(notice.payload.text);
      },
      callerName: () => profile.callerName,
      profile,
      lookForChanges: async () => {
        const [changed, record] = await Promise.all([catalog.look(), state.sessions.get(sessionId)]);
        if (typeof record !== "string") await followProfile(record.profileId, profile, logger);
        return changed;
      },
      createListener: (hints, events) =>
        createListener(
          {
            inputRateHz: transport.sampleRateHz,
            recogniser: providers.recogniser,
            createVoiceActivityDetector:
              request.detectsVoice === false ? createDeafDetector : providers.createVoiceActivityDetector,
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
    const bare = startMode(common);
    const started = voicemail?.over(bare) ?? bare;
    session = started;
    live.set(sessionId, started);
    void started.ended.then(end);
    void started.ended.then(watchers.over);
    void started.ended.then(() => (live.get(sessionId) === started ? live.delete(sessionId) : false));
    return started;
  }

  function watchVoicemail(
    transport: Transport,
    { voicemail: answer, callConnectionId, streamingMode }: ConversationRequest,
    conversation: Conversation,
    logger: Logger,
  ): VoicemailWatch | undefined {
    if (answer === undefined || callConnectionId === undefined || streamingMode === "TRANSCRIPTION") return undefined;
    return watchForVoicemail({
      answer,
      message() {
        const { agent, memory } = conversation;
        const known = { agent_name: agent.name, context: contextOf(memory), memory };
        return renderTemplate(settings.commVoicemailMessage, { ...agent.templateVars, ...known });
      },
      inputRateHz: transport.sampleRateHz,
      createVoiceActivityDetector: providers.createVoiceActivityDetector,
      sensitivity: settings.vadSensitivity,
      onMachine(evidence) {
        options.callControl?.noteMachine(callConnectionId, { evidence, answer }).catch((error: unknown) => {
          logger.warn({ error, code: toVoiceError(error).code }, "a voicemail could not be written down");
        });
      },
    });
  }

  function startMode(common: ModeOptions): LiveSession {
    const { record } = common.conversation;
    if (record.streamingMode === "TRANSCRIPTION") return startTranscriptionSession(common);
    const { conversation } = common;
    const tools = createToolRunner({
      registry: { get: options.findTool },
      catalog: () => conversation.catalog,
      sessionId: conversation.sessionId,
      clock,
      customer: () => common.profile.forTools(),
      writeDown: (begun) => conversation.beginCalls(begun),
    });
    const onEffect = (effect: HostEffect): Promise<EffectOutcome> =>
      carryOutEffect(effect, {
        transport: common.transport,
        record,
        callControl: options.callControl,
        endConversation: () => void live.get(record.sessionId)?.close("finished"),
        logger: common.logger,
      });
    const startCascade = (takesOver?: SessionLoss): LiveSession =>
      startVoiceSession({
        ...common,
        takesOver,
        ticker,
        reply: {
          model: providers.languageModel,
          synthesiser: providers.synthesiser,
          tools,
          language: settings.sttLanguage,
          wallNow: () => clock.wallNow(),
        },
        turnSettings: (silenceMs) => ({
          silenceMs: silenceMs ?? settings.vadSilenceTimeoutMs,
          silenceTimeoutMs: settings.vadTimeoutMs,
          bargeInEnabled: settings.bargeInEnabled,
          bargeInThresholdMs: settings.bargeInThresholdMs,
          idleMs,
        }),
        onEffect,
      });
    const { realtimeModel: model } = providers;
    if (record.streamingMode !== "VOICE_LIVE" || model === undefined) return startCascade();
    const startRealtime = (onLost?: (loss: SessionLoss) => void): LiveSession =>
      startRealtimeSession({
        ...common,
        model,
        tools,
        turn: {
          silenceMs: settings.vadSilenceTimeoutMs,
          bargeInEnabled: settings.bargeInEnabled,
          language: settings.sttLanguage,
          idleMs,
        },
        retry,
        ticker,
        random: Math.random,
        onEffect,
        onLost,
      });
    if (!settings.voiceLiveFallback) return startRealtime();
    return startWithFallback({ start: startRealtime, goOn: startCascade });
  }
}

/** The record names the customer; one that has expired meanwhile leaves the session with the customer it had. */
async function followProfile(profileId: string | undefined, profile: BoundProfile, logger: Logger): Promise<void> {
  if (profileId === undefined || profileId === profile.profileId) return;
  try {
    await profile.bind(profileId);
  } catch (error) {
    logger.warn({ error, code: toVoiceError(error).code }, "the session's profile could not be read");
  }
}
