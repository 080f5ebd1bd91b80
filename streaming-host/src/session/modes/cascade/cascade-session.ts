/** MEDIA and REALTIME modes: recogniser, language model and synthesiser, with turns decided by our turn machine. */
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import { expectedAnswer } from "@voice/provider-kit/end-of-turn/expected-answer";
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { AwaitedDigits } from "@voice/provider-kit/ports/recogniser";
import type { Agent } from "@voice/shared/catalog/agent";
import type { LanguagePack } from "@voice/shared/languages/language-pack";
import type { Listener, ListenerEvents } from "../../../pipeline/listening/listener.ts";
import { firstMoveAt } from "../../conversation/takeover-point.ts";
import { languageSettings } from "../../turn/language-settings.ts";
import { isLastWords } from "../../turn/turn-effects.ts";
import { cascadePolicy } from "../../turn/turn-policy.ts";
import type { TurnSettings } from "../../turn/turn-settings.ts";
import { hasUnansweredSpeech, runningReply } from "../../turn/turn-state.ts";
import type { TurnState } from "../../turn/turn-state.ts";
import { followCaller } from "../follow-caller.ts";
import type { FollowLanguage } from "../follow-caller.ts";
import type { LiveSession } from "../live-session.ts";
import { SpeakingSession } from "../speaking-session.ts";
import type { ModeCommand } from "../speaking-session.ts";
import type { VoiceSessionOptions } from "./cascade-session-options.ts";
import { CascadeReplies } from "./cascade-replies.ts";
import type { Recognition } from "./cascade-reply.ts";
import { TurnHints } from "./recognition-hints.ts";
import { causeOf, withReason } from "../../output/cause-of.ts";

/** Longer than any endpointing delay, because the turn machine ends turns and not the recogniser. */
const longestPauseMs = 3000;

/** The digits that the agent awaits, or else its last words. */
type Asking = AwaitedDigits | string;

export function startVoiceSession(options: VoiceSessionOptions): LiveSession {
  const session = new CascadeSession(options);
  session.begin();
  return session;
}

class CascadeSession extends SpeakingSession {
  protected readonly replies: CascadeReplies;
  readonly #options: VoiceSessionOptions;
  readonly #hints: TurnHints;
  readonly #followLanguage: FollowLanguage;
  readonly #listener: Listener;
  /** When the recogniser finalised the open turn's text; undefined if it was typed. */
  #recognition: Recognition | undefined;
  #asked: { readonly by: Asking; readonly expected: Expected } = { by: "", expected: { kind: "nothing" } };
  #settings: { readonly agent: Agent; readonly made: TurnSettings } | undefined;
  /** Another agent has taken over, in whose voice the apology and the goodbye are still to be made (FAIL-7). */
  #lacksFallback = false;
  /** When the caller began to speak. */
  #speechSinceMs: number | undefined;

  constructor(options: VoiceSessionOptions) {
    const { conversation } = options;
    super(options, () => this.#settingsNow(), "model");
    this.#options = options;
    this.#followLanguage = followCaller(this, this.output.notify);
    this.#hints = new TurnHints(conversation, options.callerName);
    this.replies = this.#createReplies();
    this.#listener = this.#listen();
  }

  begin(): void {
    const { lostMs, realtimeLoss } = this.#options;
    if (realtimeLoss === undefined) this.greet(lostMs);
    else this.#continueAfter(realtimeLoss);
    this.#prepareFallback(); // after the first words, because the caller is waiting for those
    for (const samples of realtimeLoss?.unheard ?? []) this.hearAgain(samples);
  }

  protected hear(samples: Int16Array): number {
    this.#listener.write(samples);
    return this.#listener.level;
  }

  protected run(command: ModeCommand): void {
    switch (command.type) {
      case "prepare-reply":
        this.changes.takeFound();
        this.replies.prepare(command.text);
        return;
      case "discard-prepared":
        this.replies.discardPrepared();
        return;
      case "hold-playout":
        this.output.playout.hold("speech");
        return;
      case "say-filler":
        this.replies.sayFiller();
        return;
      case "resume-playout":
        this.output.playout.resume();
        this.output.wake();
        this.output.notify({ type: "event", payload: { name: "false_interruption", turn_id: command.turnId } });
        return;
      case "publish-words":
        this.words.whole(command.text, command.startedAtMs, command.endedAtMs);
        return;
      case "flush-recogniser":
        this.#listener.flush();
        return;
      case "refuse-response": // no service answers on its own here,
      case "give-up-model": // and there is no realtime model
    }
  }

  protected onCatalogChanged(): void {
    this.replies.discardPrepared(); // it was prepared with outdated information
    this.#listener.setHints(this.#hints.current);
    this.#prepareFallback();
  }

  protected onAgentChanged(): void {
    this.#hints.expect(undefined);
    this.#listener.setHints(this.#hints.current);
    this.#lacksFallback = true;
  }

  protected onPaused(): void {
    this.#listener.flush();
  }

  protected override beginTurn(turnCount: number, nowMs: number): void {
    const { agent, user } = this.loop.state;
    const reply = runningReply(agent);
    if (reply !== undefined && isLastWords(reply.kind) && hasUnansweredSpeech(user))
      this.openWordsSinceMs = this.conversation.places.next(nowMs);
    super.beginTurn(turnCount, nowMs);
  }

  protected override onStepped({ agent, user }: TurnState): void {
    if (this.openWordsSinceMs !== undefined && !hasUnansweredSpeech(user)) this.openWordsSinceMs = undefined;
    this.#listener.setAgentAudible(agent.kind === "speaking");
    if (this.#lacksFallback && agent.kind === "listening") this.#prepareFallback();
  }

  protected override onAgentHeard(frame: Int16Array, playsAtMs: number): void {
    this.#listener.hearAgent(frame, this.#options.transport.sampleRateHz, playsAtMs);
  }

  protected override takeTyped(text: string, atMs: number): void {
    this.#recognition = undefined;
    super.takeTyped(text, atMs);
  }

  protected release(): void {
    this.replies.close();
    this.#listener.close();
  }

  /** FAIL-6: takes over the words that the other session has heard. */
  #continueAfter(loss: NonNullable<VoiceSessionOptions["realtimeLoss"]>): void {
    const { conversation } = this;
    const type = unansweredTurn(conversation.modelHistory) === undefined ? "greet" : "answer";
    const hasGreeting = conversation.renderGreeting() !== undefined;
    this.loop.dispatch({
      type: "session-started",
      announces: this.#options.announcement !== undefined && !loss.isAnnounced,
      firstMove: loss.callerWaits ? firstMoveAt({ type }, { hasGreeting }) : "listen",
    });
    loss.handOver((event) => this.loop.dispatch(event));
  }

  #prepareFallback(): void {
    this.#lacksFallback = false;
    this.#options.prepareFallback?.(this.conversation.agent);
  }

  #createReplies(): CascadeReplies {
    const { reply, transport, realtimeLoss } = this.#options;
    return new CascadeReplies(this.replyContext, {
      opener: realtimeLoss?.callerWaits === true ? this.conversation.language.sentences.opener : undefined,
      reply: { ...reply, sampleRateHz: transport.sampleRateHz },
      takeRecognition: () => this.#takeRecognition(),
      onWhole: () => void this.#settingsNow(), // what the agent asks for is found now, and not when the caller interrupts
      onAwaits: (answer) => {
        if (this.#hints.expect(answer)) this.#listener.setHints(this.#hints.current);
      },
    });
  }

  #listen(): Listener {
    const { words, loop, changes } = this;
    const events: ListenerEvents = {
      onSpeechStarted: (sinceMs) => {
        changes.look("before a turn");
        this.#speechSinceMs ??= sinceMs;
        loop.dispatch({ type: "speech-started", sinceMs });
      },
      onSoundStarted: (sinceMs) => loop.dispatch({ type: "sound-started", sinceMs }),
      onSpeechStopped: (stoppedMs, prosody) => loop.dispatch({ type: "speech-stopped", stoppedMs, prosody }),
      onVoiceJudged: (stoppedMs, probability) => loop.dispatch({ type: "voice-judged", stoppedMs, probability }),
      onPartial: ({ text, sentence, startMs, language }, endedMs) => {
        words.partial(text, { start_ms: startMs, language });
        loop.dispatch({ type: "partial", text, sentence, endedMs });
      },
      onFinal: (final, endedMs) => {
        this.#recognition = { sinceMs: this.#speechSinceMs, atMs: this.#options.clock.now() };
        words.final(final, endedMs);
        this.#followLanguage(final);
        const replyRemainingMs = this.output.playout.remainingMs();
        const { text, sentence, guess } = final;
        loop.dispatch({ type: "final", text, sentence, guess, endedMs, replyRemainingMs });
      },
      onWordsUnknown: (error) => loop.dispatch({ type: "words-unknown", cause: causeOf(error) }),
      onRecogniserFailed: (error) => this.probe.upstreamFailed("recogniser", error),
      onRecogniserLost: (error) => {
        this.#options.logger.error({ error, code: error.code }, "the recogniser is lost");
        this.notifyError(error.code, withReason("Speech recognition is not available", error));
        loop.dispatch({ type: "farewell-requested", reason: "recogniser_lost", cause: causeOf(error) });
      },
    };
    return this.#options.createListener(this.#hints.current, events, longestPauseMs);
  }

  /** Asked for at every event, and the same until another agent has the floor or the agent asks for something else. */
  #settingsNow(): TurnSettings {
    const { agent } = this.conversation;
    const expected = this.#expected();
    if (this.#settings?.agent === agent && this.#settings.made.expected === expected) return this.#settings.made;
    const { language } = this.conversation;
    const made = {
      ...this.#options.turnSettings(agent.speech.vadSilenceTimeoutMs, language),
      language: languageSettings(language).language,
      policy: cascadePolicy,
      expected,
    };
    this.#settings = { agent, made };
    return made;
  }

  /** Cached, because this is called at every event, but the agent asks for something else only a few times a minute. */
  #expected(): Expected {
    const { awaited } = this.#hints;
    const by = awaited?.type === "digits" ? awaited : this.replies.lastWords;
    if (by !== this.#asked.by) this.#asked = { by, expected: expectedBy(by, this.conversation.language) };
    return this.#asked.expected;
  }

  #takeRecognition(): Recognition | undefined {
    const recognition = this.#recognition;
    this.#recognition = undefined;
    this.#speechSinceMs = undefined;
    return recognition;
  }
}

/** What a cloud model asks for has to be read from its words. */
function expectedBy(asking: Asking, language: LanguagePack): Expected {
  return typeof asking === "string" ? expectedAnswer(asking, language) : { kind: "digits", length: asking.length };
}
