/**
 * The parts that cascade and realtime sessions share: events from the peer and the playout go into the turn machine,
 * and its decisions are carried out. No decisions are made here; those are in turn/.
 */
import type { ErrorCode } from "@voice/shared/platform/errors";
import { memoryOfLanguage } from "@voice/shared/conversation/spoken-language";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Conversation } from "../conversation/conversation.ts";
import type { LostTime } from "../conversation/open-conversation.ts";
import type { LateResult } from "../conversation/late-results.ts";
import { storeUnfinishedText } from "../conversation/store-unfinished-text.ts";
import { storeCallerText } from "../conversation/store-caller-text.ts";
import { leaveConversation } from "../conversation/leave-conversation.ts";
import { LiveChanges } from "../conversation/live-changes.ts";
import { PersonInConversation } from "../person/person-in-conversation.ts";
import { createCallerWords } from "../output/caller-text.ts";
import type { CallerTextOutput } from "../output/caller-text.ts";
import { FixedText } from "../output/fixed-text.ts";
import { lateToolNotice } from "../output/tool-notices.ts";
import { sessionNotice } from "../output/session-notice.ts";
import { causeOf } from "../output/cause-of.ts";
import type { SessionProbe } from "../output/session-probe.ts";
import type { SessionOutput } from "../output/session-output.ts";
import type { OpenReply, ReplyContext } from "../reply/open-reply.ts";
import type { Replies } from "../reply/replies.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import { isQuiet, nextTurnId, userText } from "../turn/turn-state.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { startConversation } from "./start-conversation.ts";
import { CallEffects } from "./call-effects.ts";
import type { LiveSession, SessionStatus, SessionEnd } from "./live-session.ts";
import type { PeerEvent } from "./peer-event.ts";
import type { SpeakingSessionOptions } from "./session-options.ts";
import { isWaiting, openSpeakingOutput } from "./speaking-output.ts";
import { TurnLoop } from "./turn-loop.ts";
import type { SessionCommand } from "./turn-loop.ts";

/** The effects that the two modes carry out differently. */
export type ModeCommand = Exclude<
  SessionCommand,
  { readonly type: "begin-reply" | "cancel-reply" | "report-silence" | "keep-words" }
>;

export abstract class SpeakingSession implements LiveSession {
  readonly conversation: Conversation;
  protected readonly output: SessionOutput;
  protected readonly loop: TurnLoop;
  protected readonly words: CallerTextOutput;
  protected readonly changes: LiveChanges;
  protected readonly callEffects: CallEffects;
  protected readonly probe: SessionProbe;
  protected readonly replyContext: ReplyContext;
  readonly #person: PersonInConversation;
  protected isAnnounced = false;
  /** The place in the history of what the caller is saying (HIST-6), if it began before words that nobody may interrupt. */
  protected openWordsSinceMs: number | undefined;
  readonly #options: SpeakingSessionOptions;
  #heardSamples = 0;
  /** Typed words that wait until changes to the agents are known. */
  readonly #typed: string[] = [];
  #isPaused = false;
  #closing: Promise<void> | undefined;

  protected constructor(
    options: SpeakingSessionOptions,
    settings: () => TurnSettings,
    modelPart: ReplyContext["modelPart"],
  ) {
    const { conversation, clock, logger, recorder, heardBeforeMs } = options;
    this.#options = options;
    this.conversation = conversation;
    this.probe = options.probe;
    this.output = openSpeakingOutput(options, {
      replies: () => this.replies,
      loop: () => this.loop,
      changes: () => this.changes,
      onAgentHeard: (frame, playsAtMs) => this.onAgentHeard(frame, playsAtMs),
    });
    const { notify } = this.output;
    this.loop = new TurnLoop({
      turnCount: conversation.turnCount,
      settings,
      agentName: () => conversation.agent.name,
      run: (command) => this.#run(command),
      silence: (reason) => this.output.playout.hold(reason),
      causeOfSilence: () => causeOf(this.replies.silentPart),
      onTurnBegan: (turnCount) => this.beginTurn(turnCount, clock.wallNow()),
      onStepped: (state) => {
        this.#person.follow(state);
        this.output.showWaiting(isWaiting(state, this.output.playout.isDry));
        this.onStepped(state);
      },
      notify,
      notifyWatchers: options.publish,
      probe: this.probe,
      flightRecorder: options.flightRecorder,
      clock,
      logger,
    });
    this.#person = this.#createPerson(options);
    this.words = createCallerWords({ notify, recorder, turnId: () => this.callerTurnId(), heardBeforeMs });
    this.callEffects = new CallEffects({
      carryOut: options.onEffect,
      dispatch: (event) => this.loop.dispatch(event),
    });
    this.changes = this.#followChanges(options);
    this.replyContext = this.#createReplyContext(options, modelPart);
  }

  get status(): SessionStatus {
    return { hasBegun: this.loop.hasBegun, isQuiet: isQuiet(this.loop.state) };
  }

  get ended(): Promise<string> {
    return this.loop.ended;
  }

  onAudio(samples: Int16Array): void {
    // On hold the audio is music, or the person who is to take the call, and not the caller.
    if (this.#isPaused || this.loop.state.onHold || this.isClosing) return;
    this.#options.recorder.callerAudio(samples);
    this.output.showInputLevel(this.hearAgain(samples)); // which they belong to from then on
  }

  handle(event: PeerEvent): void {
    switch (event.type) {
      case "whole-turn": {
        const atMs = this.#options.clock.now();
        this.words.whole(event.text, atMs, atMs, event.keyed && { keyed: true });
        this.#typed.push(event.text);
        this.changes.before(() => {
          this.#typed.shift();
          this.takeTyped(event.text, atMs);
        });
        return;
      }
      case "transcript":
        return; // these modes listen for themselves
      case "effect-requested":
        return this.callEffects.request(event.effect);
      case "paused":
        return this.#setPaused(event.isPaused);
      case "person-audio":
      case "person-hold":
      case "person-left":
        return this.#person.handle(event);
      case "language-changed":
        this.conversation.remember(memoryOfLanguage(event.language, this.conversation.memory));
        this.onCatalogChanged();
        return;
      default:
        this.callEffects.tell(event);
    }
  }

  close(reason?: SessionEnd): Promise<void> {
    return (this.#closing ??= this.#shutDown(reason));
  }

  protected abstract readonly replies: Replies<OpenReply>;

  /** Processes the caller's audio and returns its level. */
  protected abstract hear(samples: Int16Array): number;

  /** Processes audio that was recorded already, by this session or by the one before it. */
  protected hearAgain(samples: Int16Array): number {
    this.#heardSamples += samples.length;
    return this.hear(samples);
  }

  protected abstract run(command: ModeCommand): void;

  /** Agents, scenario, tools or the language have changed. */
  protected abstract onCatalogChanged(): void;

  /** Milliseconds of the caller's audio so far. */
  protected get heardMs(): number {
    return (this.#options.heardBeforeMs ?? 0) + this.toMs(this.#heardSamples);
  }

  protected toMs(samples: number): number {
    return (samples * 1000) / this.#options.transport.sampleRateHz;
  }

  /** No more audio arrives; recognise what was received so far. */
  protected abstract onPaused(): void;

  /** Releases everything but the conversation and the transport. Idempotent. */
  protected abstract release(): void;

  protected onStepped(_state: TurnState): void {
    // For modes that need to know the active agent.
  }

  /** What the caller is saying, as far as it is known. */
  protected get openWords(): string {
    return userText(this.loop.state.user);
  }

  protected beginTurn(turnCount: number, nowMs: number): void {
    this.conversation.beginTurn(turnCount, nowMs);
  }

  /** The turn of the caller's current words. */
  protected callerTurnId(): string {
    return nextTurnId(this.loop.state);
  }

  protected takeTyped(text: string, atMs: number): void {
    this.loop.dispatch({ type: "whole-turn", text }, atMs);
  }

  protected get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** The session's first words; after a takeover, in the middle of a call (TAKE-1). */
  protected greet(lostMs: LostTime | undefined): void {
    const { transport, conversation, resumed, clock, announcement } = this.#options;
    this.output.notify(sessionNotice(conversation, transport, resumed));
    if (resumed) conversation.noteLostCalls(clock.wallNow());
    conversation.lateResults.watch((result) => this.takeLateResult(result));
    startConversation(clock.wallNow(), {
      conversation,
      channel: transport.channel,
      resumed,
      hasAnnouncement: announcement !== undefined,
      lostMs,
      dispatch: (event) => this.loop.dispatch(event),
      callEffects: this.callEffects,
    });
  }

  protected notifyError(code: ErrorCode, message: string): void {
    this.output.notify({ type: "error", payload: { code, message } });
  }

  /** EFFECT-18: the peer, and the model where it has a history of its own, learn what became of a call. */
  protected takeLateResult(late: LateResult): void {
    this.output.notify(lateToolNotice(late));
  }

  /** Adds a remark to the history of a model that has one of its own. */
  protected tellModel(_remark: string): void {
    // Other models are sent the conversation's history with each request.
  }

  /** Another agent is active. */
  protected abstract onAgentChanged(): void;

  protected onAgentHeard(_frame: Int16Array, _playsAtMs: number): void {
    // For modes that need the agent's audio to detect its echo.
  }

  #createReplyContext(
    { recorder, announcement, clock, logger, publish }: SpeakingSessionOptions,
    modelPart: ReplyContext["modelPart"],
  ): ReplyContext {
    const { notify, playout } = this.output;
    return {
      conversation: this.conversation,
      playout,
      recorder,
      fixedWords: new FixedText(this.conversation, announcement),
      clock,
      logger,
      notify,
      notifyWatchers: publish,
      probe: this.probe,
      onProgress: () => this.output.wake(),
      onEffect: (effect) => this.callEffects.request(effect),
      onAgentChanged: () => this.onAgentChanged(),
      dispatch: (event) => this.loop.dispatch(event),
      modelPart,
    };
  }

  #createPerson({ recorder, transport, clock, listenToPerson: listen }: SpeakingSessionOptions): PersonInConversation {
    return new PersonInConversation({
      conversation: this.conversation,
      output: this.output,
      recorder,
      sampleRateHz: transport.sampleRateHz,
      clock,
      listen,
      turnId: () => nextTurnId(this.loop.state),
      dispatch: (event) => this.loop.dispatch(event),
      tellModel: (remark) => this.tellModel(remark),
    });
  }

  #followChanges({ checkForChanges, clock, logger }: SpeakingSessionOptions): LiveChanges {
    return new LiveChanges({
      look: checkForChanges,
      clock,
      logger,
      isReplying: () => this.replies.isReplying,
      take: (catalog) => this.#takeCatalog(catalog),
    });
  }

  /** LIVE-1, LIVE-2. */
  #takeCatalog(catalog: SessionCatalog): void {
    if (this.isClosing) return;
    const before = this.conversation.agent.name;
    this.conversation.replaceCatalog(catalog);
    const { name } = this.conversation.agent;
    this.onCatalogChanged();
    if (name !== before) this.output.notify({ type: "handoff", payload: { from: before, to: name, type: "discrete" } });
  }

  #run(command: SessionCommand): void {
    switch (command.type) {
      case "begin-reply":
        // A response that the service has already begun uses the earlier settings.
        if (command.plan.origin !== "service") this.changes.takeFound();
        if (command.plan.kind !== "announcement") this.isAnnounced = true;
        this.replies.begin(command.plan);
        this.output.wake();
        return;
      case "cancel-reply":
        return this.replies.cancel(command.reason);
      case "report-silence":
        return this.replies.reportSilence();
      case "keep-words":
        return storeCallerText(this.conversation, command, this.#options.clock);
      default:
        this.run(command);
    }
  }

  #setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused || this.isClosing) return;
    this.#isPaused = isPaused;
    if (isPaused) this.onPaused();
    this.output.playout.setPaused(isPaused);
    this.output.wake();
    this.loop.dispatch({ type: "paused", isPaused });
  }

  async #shutDown(reason: SessionEnd | undefined): Promise<void> {
    const { isQuiet: wasQuiet } = this.status;
    this.loop.refuseLines();
    this.loop.close();
    this.#person.close();
    this.release();
    // Without a reason the session begins again at once, and the caller has not left.
    const { transport, clock } = this.#options;
    const { turnCount, isDeaf } = this.loop.state;
    const text = [this.openWords, ...this.#typed].filter((part) => part !== "").join(" ");
    const unfinished = { text, turnCount, timestampMs: clock.wallNow(), begunAtMs: this.openWordsSinceMs };
    if (reason !== undefined && !isDeaf) storeUnfinishedText(this.conversation, unfinished);
    this.output.close();
    await leaveConversation(this.conversation, transport, { reason, isQuiet: wasQuiet, clock });
    this.loop.onClosed(reason ?? "replaced");
  }
}
