/**
 * VOICE_LIVE mode: one speech-to-speech model. Its events become events of the turn machine, and the machine's
 * decisions become commands to the model; the service decides when turns end.
 */
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { explainedError, type VoiceError } from "@voice/shared/platform/errors";
import { SupervisedRealtime } from "../../../pipeline/realtime/supervised-realtime.ts";
import type { HistoryBoundary } from "../../conversation/conversation-history.ts";
import type { LateResult } from "../../conversation/late-results.ts";
import { storeCallerText } from "../../conversation/store-caller-text.ts";
import { eventsForSuccessor } from "../../turn/events-for-successor.ts";
import { realtimePolicy } from "../../turn/turn-policy.ts";
import { noEndpointing, patienceWithFallbackMs } from "../../turn/turn-settings.ts";
import { nextTurnId, runningReply } from "../../turn/turn-state.ts";
import type { BegunTurn, TurnState } from "../../turn/turn-state.ts";
import { followCaller } from "../follow-caller.ts";
import type { LiveSession } from "../live-session.ts";
import { SpeakingSession } from "../speaking-session.ts";
import type { ModeCommand } from "../speaking-session.ts";
import { Fallback } from "./fallback.ts";
import { ModelEvents } from "./model-events.ts";
import { makeFiller } from "./realtime-fillers.ts";
import { createReconnection } from "./reconnection.ts";
import { RealtimeReplies } from "./realtime-replies.ts";
import type { RealtimeSessionOptions } from "./realtime-session-options.ts";
import { realtimeHistory, realtimeSettings, remark, settingsIn } from "./realtime-settings.ts";
import { untranscribedItems } from "./untranscribed-items.ts";
import { beganAt } from "../../output/began-at.ts";
import { causeOf, withReason } from "../../output/cause-of.ts";

export function startRealtimeSession(options: RealtimeSessionOptions): LiveSession {
  const session = new LiveModelSession(options);
  session.begin();
  return session;
}

class LiveModelSession extends SpeakingSession {
  protected readonly replies: RealtimeReplies;
  readonly #options: RealtimeSessionOptions;
  readonly #realtime: SupervisedRealtime;
  readonly #events: ModelEvents;
  readonly #reconnection: ReturnType<typeof createReconnection>;
  #fallback: Fallback | undefined;
  /** The settings have changed while there was no connection. The connection that is being opened may have been given the earlier ones. */
  #hasNewSettings = false;
  /** The instructions that the model was sent last. */
  #instructions = "";
  /** Where the part of the history begins that was sent to the connection. */
  #boundary: HistoryBoundary | undefined;
  /** Why the model was lost. */
  #loss: VoiceError | undefined;

  constructor(options: RealtimeSessionOptions) {
    const { idleMs, bargeInEnabled, deadAirMs, fillerMs } = options.turn;
    const { conversation } = options;
    const settings = { ...noEndpointing, policy: realtimePolicy, idleMs, bargeInEnabled, deadAirMs, fillerMs };
    super(
      options,
      settingsIn(() => conversation.language, settings),
      "realtime-model",
    );
    this.#options = options;
    this.replies = this.#createReplies();
    this.#events = this.#createEvents();
    const { loop, replies } = this;
    this.#reconnection = createReconnection(loop, replies, this.#events, () => this.#realtime);
    this.#realtime = this.#connect();
  }

  /** TAKE-3 does not apply to this mode: the service handles half a sentence itself. */
  begin(): void {
    this.greet(undefined);
  }

  protected hear(samples: Int16Array): number {
    this.#fallback?.keep(samples);
    const level = rmsLevel(samples);
    this.#realtime.appendAudio(samples, level);
    return level;
  }

  protected run(command: ModeCommand): void {
    switch (command.type) {
      case "refuse-response":
        this.replies.forgetEarly();
        this.#realtime.use((session) => session.cancelResponse());
        return;
      case "flush-recogniser":
        this.#commit();
        return;
      case "give-up-model":
        this.#giveUp(command.callerWaits);
        return;
      case "say-filler":
        this.replies.sayFiller();
        return;
      case "hold-playout": // the service itself tells speech from noise:
      case "resume-playout": // nothing is held here while speech is judged,
      case "prepare-reply": // nothing is prepared,
      case "discard-prepared":
      case "publish-words": // and its words are final
    }
  }

  protected onCatalogChanged(): void {
    this.#update();
  }

  protected onAgentChanged(): void {
    this.#update();
  }

  protected onPaused(): void {
    // The service itself notices missing audio (TURN-15).
  }

  protected override onStepped(state: TurnState): void {
    const { agent } = state;
    if (this.replies.hasEarly && (agent.kind === "listening" || agent.kind === "awaiting"))
      this.loop.dispatch({ type: "response-started" });
    this.#reconnection.onStepped(state);
  }

  protected override get openWords(): string {
    return [super.openWords, this.#events.openWords].filter((part) => part !== "").join(" ");
  }

  protected override callerTurnId(): string {
    // The service may transcribe words without having reported speech. The reply to them may have begun by then.
    const { state } = this.loop;
    return runningReply(state.agent)?.turnId ?? nextTurnId(state);
  }

  protected override takeTyped(text: string, atMs: number): void {
    if (this.#fallback === undefined) super.takeTyped(text, atMs);
    else this.#keepForFallback(text, this.#fallback);
  }

  protected override takeLateResult(late: LateResult): void {
    super.takeLateResult(late);
    this.tellModel(`The result of ${late.call.name}, which was not known before, is: ${late.content}`);
  }

  protected override tellModel(text: string): void {
    this.#realtime.use((session) => session.remember([remark(text)]));
  }

  protected release(): void {
    this.replies.close();
    if (this.#fallback === undefined) this.#keepUntranscribed(); // which hears the words
    this.#realtime.close();
  }

  /** HIST-8: no transcript of these comes any more, and their answers are in the history. */
  #keepUntranscribed(): void {
    const stored = { agent: this.conversation.agent.name, timestampMs: this.#options.clock.wallNow() };
    this.conversation.append(untranscribedItems(this.#events.takeUntranscribed(), stored));
  }

  #createReplies(): RealtimeReplies {
    const { tools, transport, synthesiser, turn, logger } = this.#options;
    const { sampleRateHz } = transport;
    const voice = { synthesiser, defaultLanguage: turn.language, sampleRateHz, logger };
    return new RealtimeReplies(this.replyContext, {
      tools,
      sampleRateHz,
      link: (action) => this.#realtime.use(action),
      makeFiller: (text, signal) => makeFiller(text, this.conversation.agent, voice, signal),
      onRemembered: () => {
        const settings = this.#settings();
        if (settings.instructions !== this.#instructions) this.#update(settings);
      },
    });
  }

  #createEvents(): ModelEvents {
    const { clock, logger } = this.#options;
    const followLanguage = followCaller(this, this.output.notify);
    return new ModelEvents({
      loop: this.loop,
      words: this.words,
      replies: this.replies,
      positions: {
        appendedMs: () => this.#realtime.appendedMs,
        voiceUntilMs: () => this.#realtime.voiceUntilMs,
        heardMs: () => this.heardMs,
      },
      beginTurn: () => this.#beginTurn(),
      replyRemainingMs: () => this.output.playout.remainingMs(),
      onSpeechStarted: () => this.changes.look("before a turn"),
      onWords: (text) => followLanguage({ text }),
      onRefused: (error) => {
        this.notifyError(error.code, withReason("The agent could not do that", error));
        logger.warn({ error, code: error.code }, "the realtime model refused a request");
      },
      onUntranscribed: (error, { isNews, turn }) => {
        this.probe.upstreamFailed("transcription", error);
        this.output.notify({
          type: "event",
          payload: { name: "transcription_failed", reason: error.code, ...beganAt(turn?.begunAtMs) },
        });
        if (isNews) logger.warn({ error, code: error.code }, "the realtime model could not transcribe the caller");
      },
      onRepaired: (repair) => this.probe.settingsRepaired(repair),
      clock,
      logger,
    });
  }

  #connect(): SupervisedRealtime {
    const { model, retry, clock, logger, random, transport, turn, onLost } = this.#options;
    return new SupervisedRealtime({
      model,
      settings: () => this.#newSettings(),
      history: () => this.replies.settled.then(() => this.#history()),
      retry,
      patienceMs: onLost === undefined ? turn.deadAirMs : patienceWithFallbackMs,
      clock,
      logger,
      random,
      probe: (onAnswered) => transport.probe(onAnswered),
      onEvent: (event) => this.#events.take(event),
      onOpened: () => this.#onOpened(),
      onDropped: (error) => {
        this.#reconnection.onDropped(error);
        if (this.#realtime.hearsWords) this.#events.hearAgain();
        else this.#keepUntranscribed();
      },
      onFailed: (error) => this.probe.upstreamFailed("realtime-model", error),
      onLost: (error) => this.#onLost(error),
    });
  }

  #settings() {
    const { tools, transport, turn, clock, callerName } = this.#options;
    return realtimeSettings(this.conversation, tools, transport.sampleRateHz, turn, clock.wallNow(), callerName);
  }

  #newSettings(settings = this.#settings()): RealtimeSettings {
    this.#instructions = settings.instructions;
    return settings;
  }

  /** TURN-12. The service answers a turn by itself only if it has found the turn's end itself. */
  #commit(): void {
    this.#events.endSpeech();
    this.#realtime.use((session) => {
      session.commitAudio();
      session.respondIfFree();
    });
  }

  #history() {
    this.#boundary = this.conversation.arrival?.boundary;
    return realtimeHistory(this.conversation);
  }

  #update(settings?: RealtimeSettings): void {
    if (this.conversation.arrival?.boundary !== this.#boundary && this.#realtime.reopen()) {
      this.#reconnection.onReopened(); // RT-32
      return;
    }
    this.#hasNewSettings = !this.#realtime.use((session) => session.update(this.#newSettings(settings)));
  }

  #onOpened(): void {
    if (this.#hasNewSettings) this.#update();
    this.#reconnection.onOpened();
  }

  #onLost(error: VoiceError): void {
    this.#options.logger.error({ error, code: error.code }, "the realtime model is lost");
    this.#loss = error;
    if (this.loop.state.endReason !== undefined)
      this.notifyError(error.code, withReason("The realtime model is not available", error));
    const isReplyUnfinished = this.replies.isUnfinished || this.output.playout.remainingMs() > 0;
    const lost = { hearsWords: this.#realtime.hearsWords, isReplyUnfinished };
    this.loop.dispatch({ type: "model-lost", ...lost, cause: causeOf(error) });
  }

  /** FAIL-6. */
  #giveUp(callerWaits: boolean): void {
    const error = this.#loss ?? explainedError("upstream_unavailable", "the realtime model does not answer");
    const { onLost } = this.#options;
    if (onLost === undefined) {
      this.notifyError(error.code, withReason("The realtime model is not available", error));
      this.loop.end("realtime_lost");
      return;
    }
    this.notifyError(
      error.code,
      withReason("The realtime model is not available; the conversation goes on without it", error),
    );
    this.output.notify({
      type: "event",
      payload: { name: "fallback", from: "VOICE_LIVE", to: "MEDIA", reason: error.code },
    });
    const { unheard, hearsWords } = this.#realtime;
    const [again] = this.#events.untranscribedTurns;
    if (hearsWords && again !== undefined) this.conversation.places.expectAgain(again);
    const heardMs = this.heardMs - this.toMs(unheard.reduce((total, { length }) => total + length, 0));
    const loss = {
      error,
      callerWaits,
      isAnnounced: this.isAnnounced,
      handOver: this.callEffects.handOver(eventsForSuccessor(this.loop.state)),
      unheard,
      heardMs,
    };
    this.#fallback = new Fallback(loss, {
      settled: () => Promise.all([this.replies.settled, this.changes.turnsTaken]),
      isClosed: () => this.isClosing,
      onLost,
    });
    this.loop.close();
    this.release();
    this.output.close();
  }

  /** A turn of the caller's that begins now. */
  #beginTurn(): BegunTurn {
    const begunAtMs = this.conversation.places.next(this.#options.clock.wallNow());
    return { turnId: nextTurnId(this.loop.state), begunAtMs };
  }

  /** Typed before the successor has started; it finds the words in the history. */
  #keepForFallback(text: string, fallback: Fallback): void {
    storeCallerText(this.conversation, { text, ...this.#beginTurn() }, this.#options.clock);
    fallback.expectAnswer();
  }
}
