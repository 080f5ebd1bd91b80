/**
 * One reply of the agent, from its preparation to its last heard sample: its state, and what follows from that in every mode. Where its
 * words and its audio come from is up to the mode.
 */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import { causeOf } from "../output/cause-of.ts";
import { withdrawnItem } from "@voice/shared/conversation/withdrawn-effects";
import type { Withdrawal } from "@voice/shared/conversation/withdrawn-effects";
import { withheldItem } from "@voice/shared/conversation/withheld-turns";
import type { ErrorCode, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ChosenHandoff } from "../../pipeline/cascade/choose-handoff.ts";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import type { AnswerCut } from "../../pipeline/cut-answers.ts";
import { GuardrailHits } from "../../pipeline/guardrail-hit.ts";
import type { GuardrailHit } from "../../pipeline/guardrail-hit.ts";
import type { SessionNotice } from "../../transports/transport.ts";
import { isAnnounced, isDoneOnceHeard } from "../conversation/host-effects.ts";
import type { HostEffect } from "../conversation/host-effects.ts";
import { takeHandoff, takeHandoffsBack } from "./taken-handoff.ts";
import type { TakenHandoff } from "./taken-handoff.ts";
import type { FixedText } from "../output/fixed-text.ts";
import { isAnswer, keepReply } from "../output/finished-reply.ts";
import type { HeardWords, ReplyKeepers } from "../output/finished-reply.ts";
import type { ReplyEnding } from "../output/session-probe.ts";
import { toolFailure, toolFinishedNotice, toolStartedNotice } from "../output/tool-notices.ts";
import { TurnTimeline } from "../output/turn-timeline.ts";
import type { Playout } from "../playout/playout.ts";
import { Track } from "../playout/track.ts";
import type { CancelReason, ReplyPlan } from "../turn/turn-effects.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";

/** The session, as its replies see it. */
export interface ReplyContext extends ReplyKeepers {
  readonly playout: Playout;
  readonly fixedWords: FixedText;
  readonly logger: Logger;
  /** Notifies operators who watch, and not the caller. */
  readonly notifyWatchers: (notice: SessionNotice) => void;
  /** The playout has started to play the reply. */
  readonly onProgress: () => void;
  /** A tool requests an effect that only the host can carry out. */
  readonly onEffect: (effect: HostEffect) => void;
  /** Another agent is active, with other hints and another voice. */
  readonly onAgentChanged: () => void;
  /** What writes the agent's words. */
  readonly modelPart: "model" | "realtime-model";
  /** Sends an event to the turn machine. */
  readonly dispatch: (event: TimelessTurnEvent) => void;
}

/** What became of a reply that hit a guardrail. */
const consequences = {
  stop: "a guardrail stopped the reply: nothing more of it is said, and its tool calls are dropped",
  replace: "a guardrail replaced a part of the reply",
} as const satisfies Record<GuardrailHit["action"], string>;

/** Log lines, by the part that writes the words. */
const failed = { model: "a reply failed", "realtime-model": "the realtime model failed an answer" } as const;

/** `reason`: for operators who watch. */
export function failedReplyNotice(code: ErrorCode, reason: string | undefined): SessionNotice {
  const cause = reason === undefined ? "" : ` (${reason})`;
  return { type: "error", payload: { code, message: `The agent could not answer${cause}; it will say so.` } };
}

export class OpenReply {
  readonly track = new Track();
  readonly timeline = new TurnTimeline();
  readonly guardrails: GuardrailHits;
  protected readonly context: ReplyContext;
  readonly #effects: HostEffect[] = [];
  readonly #handoffs: TakenHandoff[] = [];
  #plan: ReplyPlan | undefined;
  #agent: string;
  #isWritten = false;
  #answerFrom: number | undefined;
  #runningTools: readonly string[] = [];
  #cut: HistoryItem["cut"];
  #hasActed = false;
  #withdrawal: Withdrawal | undefined;
  /** The model failed in mid-answer. `heard`: what there was of it, once all of that was heard. */
  #broken: { readonly error: VoiceError; readonly heard?: string } | undefined;

  /** `guardrails`: what was hit before, where this reply is said in the place of one of which nothing was heard. */
  constructor(context: ReplyContext, agent: string, guardrails = new GuardrailHits()) {
    this.context = context;
    this.#agent = agent;
    this.guardrails = guardrails;
  }

  get plan(): ReplyPlan {
    if (this.#plan === undefined) throw new Error("the reply has not begun");
    return this.#plan;
  }

  /** The turn machine has begun it; until then it is only prepared. */
  get hasBegun(): boolean {
    return this.#plan !== undefined;
  }

  /** The active agent; after a handoff the last one. */
  get agent(): string {
    return this.#agent;
  }

  /** The reply's first words are known. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** The sample of the track at which its own words begin, after any fillers. Undefined until then. */
  get answerFrom(): number | undefined {
    return this.#answerFrom;
  }

  /** Names of the tools that run now. */
  get runningTools(): readonly string[] {
    return this.#runningTools;
  }

  /** Why the model did not complete the reply; undefined if it has. */
  get cut(): HistoryItem["cut"] {
    return this.#cut;
  }

  get handoffCount(): number {
    return this.#handoffs.length;
  }

  /** The reply's tools had effects that need no words. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  begin(plan: ReplyPlan): void {
    this.#plan = plan;
    if (this.track.length > 0) this.#answerFrom = 0; // prepared: a filler bridges the wait for words only once a reply has begun
  }

  written(): void {
    if (this.#isWritten) return;
    this.#isWritten = true;
    this.context.dispatch({ type: "reply-written", turnId: this.plan.turnId });
  }

  /** Shows a piece of what the agent says to whoever watches. */
  show(text: string, agent: string): void {
    const { turnId } = this.plan;
    this.context.notify({ type: "response", payload: { text, agent, turn_id: turnId, is_final: false } });
  }

  /** GUARD-1. */
  hitGuardrail(hit: GuardrailHit): void {
    const { logger, notify } = this.context;
    const { turnId } = this.plan;
    const { agent, names, action } = hit;
    this.timeline.add("guardrail_hits", names.length);
    this.guardrails.add(hit);
    logger.info({ turnId, agent, guardrails: names }, consequences[action]);
    notify({ type: "event", payload: { name: "guardrail", turn_id: turnId, agent, names, action } });
  }

  /** MODEL-1, MODEL-2. */
  cutShort(cut: AnswerCut): void {
    const { conversation, clock, logger, notify } = this.context;
    const { turnId } = this.plan;
    this.#cut = cut === "length" ? "length" : "content_filter";
    if (cut === "filtered-prompt")
      conversation.append([withheldItem({ agent: this.#agent, turnId, timestampMs: clock.wallNow() })]);
    logger.warn({ turnId, cut }, "the model stopped before the end of its answer");
    notify({ type: "event", payload: { name: "answer_cut", turn_id: turnId, cause: this.#cut } });
  }

  answerBegins(sample: number): void {
    this.#answerFrom ??= sample;
  }

  /** There is new audio in the track. */
  markAudio(): void {
    const from = this.#answerFrom;
    if (from === undefined || this.track.length <= from) return;
    const { clock, playout } = this.context;
    this.timeline.reach("synthesis_first_audio_ms", clock.now());
    // After a filler the track is playing already, so the answer is heard as soon as the filler ends.
    if (from > 0) this.timeline.reach("first_audio_ms", clock.now() + playout.untilHeardMs(from));
  }

  /** There is something new to play, or nothing more to come. */
  protected play(): void {
    this.context.playout.pump();
    this.context.onProgress();
  }

  audible(): void {
    const mark = this.#answerFrom === undefined ? "filler_ms" : "first_audio_ms";
    this.timeline.reach(mark, this.context.clock.now());
  }

  /** FAIL-2, MODEL-15: the model failed in mid-answer. What there is of it is still heard, and the reply has failed when that is over. */
  breakOff(error: VoiceError | undefined): void {
    this.#broken = error && { error };
  }

  /** The model or the voice has failed it, or the model can no longer be reached, or has nothing to say. */
  fail(failure: "model" | "voice", error?: VoiceError): void {
    const { logger, probe, notify, dispatch, modelPart } = this.context;
    const { turnId } = this.plan;
    const { code = "upstream_unavailable", reason } = error ?? {};
    logger.warn({ turnId, failure, error, code }, failed[modelPart]);
    probe.upstreamFailed(failure === "model" ? modelPart : failure, { code, reason });
    notify(failedReplyNotice(code, reason));
    dispatch({ type: "reply-failed", turnId, failure, cause: causeOf({ code, reason }) });
  }

  /** What was heard of a reply that broke off. Undefined until all there is of it was heard. */
  get heardOfBroken(): string | undefined {
    return this.#broken?.heard;
  }

  /** The caller has heard all that there is. Returns the error of a reply that broke off, the first time. */
  drained(heard: string): VoiceError | undefined {
    if (this.#broken === undefined || this.#broken.heard !== undefined) return undefined;
    this.#broken = { ...this.#broken, heard };
    return this.#broken.error;
  }

  toolsStarted(calls: readonly ToolCall[]): void {
    this.#runningTools = calls.map(({ name }) => name);
    for (const call of calls) this.context.notify(toolStartedNotice(call, this.plan.turnId));
  }

  /** HIST-3: the tools ran, whatever happens to the reply. */
  toolsFinished(outcomes: readonly ToolCallResult[], items: readonly HistoryItem[]): void {
    const { conversation, notify, clock } = this.context;
    this.#runningTools = [];
    conversation.append(items);
    for (const outcome of outcomes) {
      conversation.remember(outcome.memory);
      notify(toolFinishedNotice(outcome, this.plan.turnId));
      if (outcome.isFault === true) conversation.noteFailure(toolFailure(outcome, clock.wallNow()));
    }
    this.timeline.addTools(outcomes, clock.now());
  }

  /** TOOL-11: the model has called tools in so many answers, and may call no more in this turn. */
  roundsSpent(rounds: number): void {
    const { logger, notify } = this.context;
    const { turnId } = this.plan;
    logger.warn({ turnId, rounds }, "the model has called tools in as many answers as one turn may have");
    notify({ type: "event", payload: { name: "tool_rounds_spent", turn_id: turnId, rounds } });
  }

  /** What the reply announces is done when it was heard: a transfer is announced before it happens (EFFECT-2). */
  takeEffects(effects: readonly HostEffect[]): void {
    for (const effect of effects) {
      this.#hasActed = true;
      if (isDoneOnceHeard(effect)) this.#effects.push(effect);
      if (!isAnnounced(effect)) this.context.onEffect(effect);
    }
  }

  /** Takes over what the tools of a lost reply have requested. This reply goes on in its place. */
  takeEffectsOf(lost: OpenReply): void {
    this.takeEffects(lost.#effects);
  }

  takeHandoff(handoff: ChosenHandoff): void {
    this.#agent = handoff.to.name;
    this.#handoffs.push(takeHandoff(handoff, this.context));
  }

  /** From now on nothing is done that its tools request. */
  withdraw(reason: CancelReason): void {
    this.#withdrawal = withdrawalOn(reason);
  }

  /**
   * Stores that what these tools request is not done, if the reply ended while they ran. `heir`: the reply that went on in its place, which
   * decides then. Returns why; undefined if nothing was withdrawn.
   */
  withdrawOutcomes(outcomes: readonly ToolCallResult[], heir: OpenReply = this): Withdrawal | undefined {
    const why = heir.#withdrawal;
    const requesting = outcomes.filter(({ effects }) => effects.length > 0);
    if (why === undefined || requesting.length === 0) return undefined;
    this.context.conversation.append(requesting.map(({ call }) => withdrawnItem(call.id, why, this.#place)));
    return why;
  }

  /**
   * Stores what was heard, if anything was shown at all, and carries out what the tools requested, or withdraws it. Returns why something
   * was withdrawn.
   */
  end(ending: ReplyEnding, heard: HeardWords | undefined): Withdrawal | undefined {
    const { context, timeline, guardrails, plan } = this;
    const summaryTokens = isAnswer(plan) ? context.conversation.takeSummaryTokens() : 0;
    if (summaryTokens > 0) timeline.add("summary_tokens", summaryTokens);
    if (heard !== undefined)
      keepReply({ plan, timeline, agent: this.#agent, ...heard, ending, cut: this.#cut, guardrails }, context);
    const withdrawal = this.#withdrawal;
    const agent =
      withdrawal === "talked_over"
        ? takeHandoffsBack(this.#handoffs, heard?.parts ?? [], context, this.#place)
        : undefined;
    this.#agent = agent ?? this.#agent;
    return this.#settleEffects(ending) || agent !== undefined ? withdrawal : undefined;
  }

  /** What was announced is done when the reply was heard to its end. Otherwise it is withdrawn: returns whether there was anything. */
  #settleEffects(ending: ReplyEnding): boolean {
    const { conversation, onEffect } = this.context;
    const why = this.#withdrawal;
    if (ending === "complete") for (const effect of this.#effects.filter(isAnnounced)) onEffect(effect);
    if (ending === "complete" || why === undefined) return false;
    // FAIL-2: after an answer that broke off, the conversation ends all the same.
    const calledOff = why === "talked_over" ? this.#effects : this.#effects.filter(isAnnounced);
    conversation.append(calledOff.map(({ id }) => withdrawnItem(id, why, this.#place)));
    return calledOff.length > 0;
  }

  get #place(): Pick<HistoryItem, "agent" | "turnId" | "timestampMs"> {
    return { agent: this.#agent, turnId: this.plan.turnId, timestampMs: this.context.clock.wallNow() };
  }
}

/** Undefined where the caller is gone, or the conversation goes on elsewhere and it is done there. */
function withdrawalOn(reason: CancelReason): Withdrawal | undefined {
  switch (reason) {
    case "barge_in":
      return "talked_over";
    case "dead_air":
    case "superseded":
      return "broke_off";
    case "passed_on":
    case "ended":
      return undefined;
  }
}
