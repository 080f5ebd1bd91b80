/** The working copy of one step: the state being replaced and the accumulated effects. It lives for one event only. */
import type { StopReason } from "@voice/shared/contracts/stream/server-message";
import type { CancelReason, ReplyKind, ReplyPlan, TurnEffect, TurnTimer } from "./turn-effects.ts";
import { isLastWords, isVerbatim } from "./turn-effects.ts";
import type { AgentState, TurnState, UserTurn } from "./turn-state.ts";
import type { TurnSettings } from "./turn-settings.ts";
import { emptyUserTurn, isOfRunningSpeech, nextTurnId, turnIdOf, userText } from "./turn-state.ts";

/** Stops the agent's audio at once. */
export type Silence = (reason: StopReason) => void;

/** The parameters of a reply. By default it has no words of the caller, starts now, and originates in this session. */
export type ReplyRequest = Partial<Omit<ReplyPlan, "turnId" | "kind">>;

export class TurnStep {
  readonly effects: TurnEffect[] = [];
  readonly settings: TurnSettings;
  readonly nowMs: number;
  readonly #silence: Silence;
  readonly #before: TurnState;
  /** Copied once, however many changes the step makes. */
  #after: TurnState | undefined;

  constructor(state: TurnState, settings: TurnSettings, nowMs: number, silence: Silence) {
    this.#before = state;
    this.settings = settings;
    this.nowMs = nowMs;
    this.#silence = silence;
  }

  get state(): TurnState {
    return this.#after ?? this.#before;
  }

  patch(change: Partial<TurnState>): void {
    Object.assign((this.#after ??= { ...this.#before }), change);
  }

  setAgent(agent: AgentState): void {
    this.patch({ agent });
  }

  setUser(change: Partial<UserTurn>): void {
    this.patch({ user: { ...this.state.user, ...change } });
  }

  emit(effect: TurnEffect): void {
    const reason = whySilent(effect);
    if (reason !== undefined) this.#silence(reason);
    this.effects.push(effect);
  }

  setTimer(timer: TurnTimer, dueMs: number): void {
    this.emit({ type: "set-timer", timer, delayMs: Math.max(0, dueMs - this.nowMs) });
  }

  clearTimers(...timers: readonly TurnTimer[]): void {
    for (const timer of timers) this.emit({ type: "clear-timer", timer });
  }

  discardPrepared(): void {
    if (this.state.preparedText === undefined) return;
    this.patch({ preparedText: undefined });
    this.emit({ type: "discard-prepared" });
  }

  /** Resets the current turn, but remembers whether speech is being detected right now. */
  clearUserText(): void {
    const { speech } = this.state.user;
    this.patch({ user: { ...emptyUserTurn, speech: speech.kind === "speaking" ? speech : { kind: "quiet" } } });
  }

  /** Resets the current turn whose words were answered, or whose caller is asked to repeat them. Their final may still arrive. */
  closeUserText({ isAnswered }: { readonly isAnswered: boolean }): void {
    const { user } = this.state;
    const { partial, speech } = user;
    const speechSinceMs = speech.kind === "speaking" ? speech.sinceMs : undefined;
    // A caller who is still speaking (and has typed) will say more in the same utterance, so that its final is new.
    if (partial !== "" && !isOfRunningSpeech(user))
      this.patch({ lateFinal: { heard: partial, isAnswered, turnEndedMs: this.nowMs, speechSinceMs } });
    this.clearUserText();
  }

  /**
   * EFFECT-7, EFFECT-11: these words were spoken just before the music started. They are not answered, because nobody speaks into the
   * music, and what is spoken after it would be no answer to them.
   */
  keepUnanswered(): void {
    this.emit({ type: "keep-words", turnId: nextTurnId(this.state), text: userText(this.state.user) });
    this.closeUserText({ isAnswered: true });
  }

  beginReply(kind: ReplyKind, request: ReplyRequest = {}): void {
    // PERSON-4: with a person the agent says nothing but its last words.
    if (this.state.withPerson && !isLastWords(kind)) return;
    const { text = "", anchorMs = this.nowMs, prepared = false, origin = "session", endOfTurn, line } = request;
    const turnCount = this.state.turnCount + 1;
    const turnId = turnIdOf(turnCount);
    this.clearTimers("idle", "end-of-turn", "flush", "turn-watchdog", "hold", "confirm-interruption", "false-alarm");
    const finalsBefore = kind === "greeting" ? this.state.user.finals.length : 0;
    const reply = {
      turnId,
      kind,
      ...(isVerbatim(kind) && { words: text }),
      ...(line !== undefined && { line }),
      ...(finalsBefore > 0 && { finalsBefore }),
    };
    this.patch({ turnCount, agent: { kind: "thinking", reply }, stopped: undefined });
    if (kind === "line") this.patch({ cutLine: undefined });
    if (kind === "greeting" || kind === "answer" || kind === "clarification") this.patch({ firstMove: "listen" });
    const plan = { turnId, kind, text, anchorMs, prepared, origin, endOfTurn, ...(line !== undefined && { line }) };
    this.emit({ type: "begin-reply", plan });
    this.setTimer("dead-air", this.nowMs + this.settings.deadAirMs);
    // FILL-1. Fixed text is available at once; text from a model may not be.
    if (kind === "answer" || kind === "clarification") this.awaitFirstWord(this.nowMs);
  }

  /** Cancels the current reply, or the one that the service is about to give, and gives the turn to the caller. */
  cancelReply(reason: CancelReason): void {
    const { agent } = this.state;
    if (agent.kind === "listening" || agent.kind === "ended") return;
    if (agent.kind === "awaiting") this.emit({ type: "refuse-response" });
    else {
      const { turnId, line } = agent.reply;
      this.emit({ type: "cancel-reply", turnId, reason });
      if (line !== undefined) this.patch({ cutLine: { turnId, line } });
    }
    this.freeFloor();
    // A tool had requested to hang up after this reply, but the caller has more to say.
    if (reason === "barge_in") this.patch({ endReason: undefined });
  }

  freeFloor(): void {
    this.clearTimers("dead-air", "filler", "hold", "confirm-interruption", "false-alarm");
    this.setAgent({ kind: "listening" });
  }

  end(reason: string): void {
    this.cancelReply("ended");
    this.discardPrepared();
    this.setAgent({ kind: "ended" });
    for (const line of this.state.lines) this.emit({ type: "refuse-line", line, reason: "conversation_ended" });
    this.patch({ lines: [] });
    this.emit({ type: "end-session", reason });
  }

  /** FILL-1. `sinceMs`: when the caller finished. */
  awaitFirstWord(sinceMs: number): void {
    const { fillerMs } = this.settings;
    if (fillerMs > 0) this.setTimer("filler", sinceMs + fillerMs);
  }
}

/** Undefined if the effect lets the agent speak on. */
function whySilent(effect: TurnEffect): StopReason | undefined {
  if (effect.type === "hold-playout") return "speech";
  return effect.type === "cancel-reply" && effect.reason === "barge_in" ? "interrupted" : undefined;
}
