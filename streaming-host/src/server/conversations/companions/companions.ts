/** The other recipients of a session's audio and events: recorder, watchers, listeners, and answering machine detection. */
import type { Settings } from "@voice/shared/config/settings";
import { machineReportedTopic } from "@voice/shared/contracts/events/operator-command";
import { contextOf } from "@voice/shared/conversation/call-context";
import type { Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { Host } from "../../../host/host.ts";
import type { CallControl } from "../../../calls/call-control.ts";
import type { EffectOutcome } from "../../../session/conversation/host-effects.ts";
import type { LiveSession } from "../../../session/modes/live-session.ts";
import { sessionNotice } from "../../../session/output/session-notice.ts";
import type { SessionRecorder } from "../../../session/recording/session-recorder.ts";
import { knownEndReason } from "../../../telemetry/end-reason.ts";
import { watchForVoicemail } from "../../../session/voicemail/watch-voicemail.ts";
import type { VoicemailWatch } from "../../../session/voicemail/watch-voicemail.ts";
import type { SessionNotice } from "../../../transports/transport.ts";
import type { ConversationScope } from "../conversation-scope.ts";
import type { SessionCatalogs } from "../open/session-catalogs.ts";
import { KeepAlive } from "./keep-alive.ts";
import { OperatorDesk } from "./operator-desk.ts";
import { createMessageLog } from "./message-log.ts";
import { createNoticePublisher } from "./publish-notices.ts";
import { Reclaimer } from "./reclaimer.ts";
import { notRecorded } from "./session-recordings.ts";
import type { SessionRecordings } from "./session-recordings.ts";
import { createWatchers } from "./watchers.ts";

export interface Companions {
  readonly recorder: SessionRecorder;
  /** What the agent has to say first (REC-3). */
  readonly announcement: string | undefined;
  /** Receives everything that the transport is told. */
  readonly publish: (notice: SessionNotice) => void;
  /** The caller is being transferred to a person. */
  readonly onTransfer: (outcome: Promise<EffectOutcome>) => void;
  /** The same session, with the detection of answering machines beside it. */
  readonly overhear: (session: LiveSession) => LiveSession;
  readonly end: (reason: string) => void;
}

export class CompanionsOfHost {
  readonly #host: Host;
  readonly #catalogs: SessionCatalogs;
  readonly #callControl: Pick<CallControl, "recordAnswer"> | undefined;
  readonly #recordings: SessionRecordings | undefined;
  readonly #operators: OperatorDesk;
  readonly #reclaimer: Reclaimer;
  readonly #keepAlive: KeepAlive;

  constructor(
    host: Host,
    catalogs: SessionCatalogs,
    callControl: Pick<CallControl, "recordAnswer"> | undefined,
    recordings: SessionRecordings | undefined,
    findSession: (sessionId: string) => LiveSession | undefined,
  ) {
    this.#host = host;
    this.#catalogs = catalogs;
    this.#callControl = callControl;
    this.#recordings = recordings;
    this.#operators = new OperatorDesk(host, findSession);
    this.#reclaimer = new Reclaimer(host);
    this.#keepAlive = new KeepAlive(host);
  }

  /** The telephone service may tell another host who has answered, which passes it on. Returns what ends the listening. */
  #hearReports(sessionId: string, voicemail: VoicemailWatch, logger: Logger): () => void {
    const { broadcasts } = this.#host.state;
    const listening = warnIfItFails(logger, {}, "the telephone service cannot tell us who has answered", () =>
      broadcasts.listen(machineReportedTopic(sessionId), () => voicemail.reported()),
    );
    return () => void listening.then((stop) => stop?.());
  }

  attend(scope: ConversationScope): Companions {
    const { transport, request, conversation, resumed, telemetry, ending, logger } = scope;
    const { state, settingsNow, clock } = this.#host;
    const isRecorded = request.isRecorded ?? settingsNow().recordingEnabled;
    const recording = (isRecorded ? this.#recordings?.start(scope) : undefined) ?? notRecorded;
    const messages = createMessageLog(state.messageLog, conversation.sessionId, clock, logger);
    conversation.storesWithTurns(messages);
    const notices = createNoticePublisher(state.liveUpdates, conversation.record, clock, messages);
    // A conversation that continues was begun by a person who answered, or with a machine that is already known.
    const mayBeMachine = !resumed || request.isMachine === true;
    const voicemail = mayBeMachine
      ? expectVoicemail(scope, this.#catalogs, settingsNow().vadSensitivity, this.#callControl, notices.publish)
      : undefined;
    const stopHearing = voicemail && this.#hearReports(conversation.sessionId, voicemail, logger);
    const watchers = createWatchers({
      publish: notices.publish,
      channel: transport.channel,
      clock,
      onEnd: (reason) => conversation.endsBecause(reason),
    });
    const desk = this.#operators.attend({
      sessionId: conversation.sessionId,
      sampleRateHz: transport.sampleRateHz,
      recorder: recording.recorder,
      conversation,
      notices,
    });
    const publish = (notice: SessionNotice): void => {
      telemetry.noticed(notice);
      watchers.tell(notice);
      if (notice.type === "transcript" && notice.payload.speaker === "user") voicemail?.read(notice.payload.text);
    };
    const stopReclaiming = this.#reclaimer.attend({
      conversation,
      onRestored: () => publish(sessionNotice(conversation, transport, true)),
      onTakenOver: () => ending.close("replaced"),
      onOver: (reason) => ending.sayGoodbye(reason),
    });
    const stopKeeping = this.#keepAlive.attend(conversation);
    return {
      recorder: desk.recorder,
      announcement: recording.announcement,
      publish,
      onTransfer: (outcome) => watchers.transferring(outcome),
      overhear: (session) => voicemail?.over(session) ?? session,
      end(reason) {
        logger.info({ reason: knownEndReason(reason) }, "a session ended");
        recording.end();
        stopReclaiming();
        stopKeeping();
        stopHearing?.();
        desk.end();
        watchers.sessionEnded(reason);
        void notices.store();
        telemetry.ended(reason);
      },
    };
  }

  /** HS-12: this host reaches the store again after an outage, in which other hosts may have taken it for dead. */
  returned(): void {
    this.#reclaimer.returned();
  }

  async close(): Promise<void> {
    this.#reclaimer.close();
    this.#keepAlive.close();
    await this.#operators.close();
  }
}

/** What is done about an answering machine, and who is told: undefined if no machine can be at the other end, or if detecting one would have no effect. */
function expectVoicemail(
  { transport, request, conversation, providers, logger }: ConversationScope,
  catalogs: SessionCatalogs,
  sensitivity: Settings["vadSensitivity"],
  callControl: Pick<CallControl, "recordAnswer"> | undefined,
  notifyWatchers: (notice: SessionNotice) => void,
): VoicemailWatch | undefined {
  const { voicemail: answer, isMachine = false, callConnectionId, streamingMode } = request;
  if (answer === undefined || callConnectionId === undefined || streamingMode === "TRANSCRIPTION") return undefined;
  return watchForVoicemail({
    answer,
    isFound: isMachine,
    message() {
      const { agent, memory, language } = conversation;
      const { commVoicemailMessage = language.sentences.voicemail } = catalogs.settingsNow();
      const known = { agent_name: agent.name, context: contextOf(memory), memory };
      return catalogs.files.templates.render(commVoicemailMessage, { ...agent.templateVars, ...known });
    },
    phrases: conversation.language,
    inputRateHz: transport.sampleRateHz,
    createVoiceActivityDetector: providers.createVoiceActivityDetector,
    sensitivity,
    onFound(answeredBy, evidence) {
      notifyWatchers({ type: "event", payload: { name: "answered_by", answered_by: answeredBy, evidence } });
      void warnIfItFails(logger, {}, "the call's record does not say that no person answered", async () =>
        callControl?.recordAnswer(callConnectionId, answeredBy, { evidence, answer }),
      );
    },
  });
}
