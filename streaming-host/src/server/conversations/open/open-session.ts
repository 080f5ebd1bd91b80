/** Opens a session on a transport: its stored conversation, and everything that accompanies it while it runs. */
import { speechDefaultsOf } from "@voice/shared/catalog/catalog-in-language";
import type { CloseReason } from "../../../transports/close-reasons.ts";
import { createFlightRecorder } from "../../../session/flight/flight-recorder.ts";
import type { FlightRecorder } from "../../../session/flight/flight-recorder.ts";
import { createListener } from "../../../pipeline/listening/listener.ts";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { openConversation } from "../../../session/conversation/open-conversation.ts";
import type { ConversationRequest, OpenedConversation } from "../../../session/conversation/open-conversation.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import { sessionNotice } from "../../../session/output/session-notice.ts";
import { historyFull } from "../../../session/turn/turn-effects.ts";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionConfig, SessionNotice, Transport } from "../../../transports/transport.ts";
import { logFieldsOf } from "@voice/shared/telemetry/traceparent";
import { knownEndReason } from "../../../telemetry/end-reason.ts";
import { sessionTelemetry } from "../../../telemetry/session-telemetry.ts";
import type { SessionTelemetry } from "../../../telemetry/session-telemetry.ts";
import { createBoundCustomer } from "./bound-customer.ts";
import { meterConversation } from "./meter-conversation.ts";
import { createNoticePublisher } from "../companions/publish-notices.ts";
import { runSession } from "../run/run-session.ts";
import type { SessionParts } from "../run/run-session.ts";
import { createLiveCatalog } from "./session-catalogs.ts";
import { notRecorded } from "../companions/session-recordings.ts";
import type { SharedParts } from "../shared-parts.ts";
import { expectVoicemail } from "../companions/voicemail.ts";
import { createWatchers } from "../companions/watchers.ts";

export interface SessionToOpen {
  readonly transport: Transport;
  readonly request: ConversationRequest;
  /** The client's configuration since it connected, which takes precedence over the request. */
  readonly config?: SessionConfig | undefined;
  /** Called with the session's id before the session says anything. */
  readonly onOpened: (sessionId: string) => void;
}

export async function openSession(asked: SessionToOpen, shared: SharedParts): Promise<LiveSession> {
  const { transport, request } = asked;
  const { state, clock } = shared;
  await shared.openingTurn();
  let session: LiveSession | undefined;
  const close = (reason: CloseReason): void => void session?.close(reason);
  const sayGoodbye = (reason: string): void => session?.handle({ type: "farewell-requested", reason });
  const sayFull = (): void => {
    transport.notify({ type: "error", payload: { code: "conflict", message: historyFullMessage } });
    sayGoodbye(historyFull);
  };
  const profile = createBoundCustomer(shared.customers, {
    phoneNumber: request.phoneNumber,
    subject: request.owner,
  });
  if (request.profileId !== undefined) await profile.bind(request.profileId);
  const catalog = createLiveCatalog(shared.catalogs, asked.config);
  const telemetry = sessionTelemetry(asked, shared);
  const meter = meterConversation(shared);
  const opened = await openConversation(
    { ...request, traceparent: telemetry.traceparent },
    {
      store: state.sessions,
      isStored: shared.isStored,
      compileCatalog: catalog.compile,
      speechDefaults: speechDefaultsOf({ ...shared.settings, ...shared.settingsNow() }),
      wallNow: () => clock.wallNow(),
      hostId: shared.hostId,
      newest: shared.newest,
      logger: shared.logger,
      writeSummary: meter.writeSummary,
      contextTokens: ({ model }) => shared.providers.languageModel.contextTokens?.(model.cascade.deploymentId),
      onTakenOver: () => close("replaced"),
      historyLimit: { maxCharacters: shared.settingsNow().maxSessionHistory, onReached: sayFull },
    },
  );
  const { conversation } = opened;
  const { sessionId } = conversation;
  const watched = telemetry.watch(opened);
  const { callId, channel } = request;
  const ids = { sessionId, ...(callId === undefined ? {} : { callId }) };
  const logger = shared.logger.child({ ...ids, ...logFieldsOf(watched.traceparent) });
  const { streamingMode } = conversation.record;
  logger.info({ channel, streamingMode, resumed: opened.resumed }, "a session began");
  await profile.follow(conversation.record.profileId, logger);
  asked.onOpened(sessionId);
  const checkForChanges: SessionParts["checkForChanges"] = async () => {
    const [changed, record] = await Promise.all([catalog.look(), state.sessions.get(sessionId)]);
    if (typeof record !== "string") await profile.follow(record.profileId, logger);
    return changed;
  };
  meter.follow(conversation, request, watched);
  const metered = { ...shared, providers: meter.providers };
  const companions = openCompanions({ ...asked, ...opened, logger, watched, close, sayGoodbye }, metered);
  const running = runSession(
    {
      transport,
      phoneNumber: request.phoneNumber,
      client: request.client,
      ...opened,
      ...companions.parts,
      probe: watched,
      flightRecorder: flightRecorderFor(sessionId, logger, shared),
      profile,
      checkForChanges,
      close,
      clock,
      logger,
    },
    metered,
  );
  session = companions.voicemail?.over(running) ?? running;
  if (conversation.isFull) sayFull(); // a phone call that another host carried until it was full
  void session.ended.then(companions.end);
  return session;
}

/** FR-8. */
const historyFullMessage =
  "This session has as much history as one may have (MAX_SESSION_HISTORY), and ends; begin a new one.";

/** Segments stored per conversation: about one per reply, a few kilobytes each. */
const maxSegments = 200;

function flightRecorderFor(
  sessionId: string,
  logger: Logger,
  { settingsNow, state, clock }: SharedParts,
): FlightRecorder | undefined {
  if (!settingsNow().flightRecorderEnabled) return undefined;
  return createFlightRecorder({
    keep(segment) {
      state.flightLog.append(sessionId, segment, maxSegments).catch((error: unknown) => {
        logger.warn({ error }, "a segment of the flight record could not be stored");
      });
    },
    wallNow: () => clock.wallNow(),
  });
}

interface OpenedSession extends SessionToOpen, OpenedConversation {
  readonly logger: Logger;
  readonly watched: SessionTelemetry;
  readonly close: (reason: CloseReason) => void;
  readonly sayGoodbye: (reason: string) => void;
}

interface Companions {
  readonly parts: Pick<SessionParts, "recorder" | "announcement" | "publish" | "onTransfer" | "createListener">;
  readonly voicemail: ReturnType<typeof expectVoicemail>;
  readonly end: (reason: string) => void;
}

/**
 * The other recipients of a session's audio and events: recorder, watchers, listeners, and answering machine detection.
 */
function openCompanions(opened: OpenedSession, shared: SharedParts): Companions {
  const { transport, request, conversation, resumed, watched, logger } = opened;
  const { clock } = shared;
  // A conversation that continues was begun by a person who answered, or with a machine that is already known.
  const voicemail = resumed && request.isMachine !== true ? undefined : expectVoicemail(opened, shared);
  const isRecorded = request.isRecorded ?? shared.settingsNow().recordingEnabled;
  const recording = isRecorded ? shared.recordings?.start(opened) : undefined;
  const { recorder: keeper, announcement, end } = recording ?? notRecorded;
  const notices = createNoticePublisher(shared.state.liveUpdates, conversation.record, clock);
  const watchers = createWatchers({
    publish: notices.publish,
    channel: transport.channel,
    clock,
    onEnd: (reason) => conversation.endsBecause(reason),
  });
  const { recorder, end: leaveDesk } = shared.operators.attend({
    sessionId: conversation.sessionId,
    sampleRateHz: transport.sampleRateHz,
    recorder: keeper,
    notices,
  });
  const publish = (notice: SessionNotice): void => {
    watched.noticed(notice);
    watchers.tell(notice);
    if (notice.type === "transcript" && notice.payload.speaker === "user") voicemail?.read(notice.payload.text);
  };
  const stopReclaiming = shared.reclaimer.attend({
    conversation,
    onRestored: () => publish(sessionNotice(conversation, transport, true)),
    onTakenOver: () => opened.close("replaced"),
    onOver: opened.sayGoodbye,
  });
  const stopKeeping = shared.keepAlive.attend(conversation);
  return {
    voicemail,
    parts: {
      recorder,
      announcement,
      publish,
      onTransfer: (outcome) => watchers.transferring(outcome),
      createListener: listenerFor(opened, shared),
    },
    end(reason) {
      logger.info({ reason: knownEndReason(reason) }, "a session ended");
      end();
      stopReclaiming();
      stopKeeping();
      leaveDesk();
      watchers.sessionEnded(reason);
      watched.ended(reason);
    },
  };
}

/** Used if a client asked for no detection: it never detects speech, so turns end with the recogniser's finals. */
const createDeafDetector: CreateVoiceActivityDetector = () => ({ isSpeech: () => false, close: () => undefined });

function listenerFor(
  { transport, request, conversation, logger }: OpenedSession,
  { settingsNow, providers, retry, clock }: SharedParts,
): SessionParts["createListener"] {
  const createVoiceActivityDetector =
    request.detectsVoice === false ? createDeafDetector : providers.createVoiceActivityDetector;
  const { sttLanguage, vadSensitivity, vadSilenceTimeoutMs } = settingsNow();
  return (hints, events, longestPauseMs) =>
    createListener(
      {
        inputRateHz: transport.sampleRateHz,
        recogniser: providers.recogniser,
        createVoiceActivityDetector,
        voiceModel: providers.voiceModel,
        sensitivity: vadSensitivity,
        language: conversation.agent.speech.language ?? sttLanguage,
        candidateLanguages: conversation.agent.speech.candidateLanguages,
        segmentationSilenceMs: vadSilenceTimeoutMs,
        longestPauseMs: request.detectsVoice === false ? undefined : longestPauseMs,
        hints,
        retry,
        clock,
        logger,
        random: Math.random,
        probe: (onAnswered) => transport.probe(onAnswered),
      },
      events,
    );
}
