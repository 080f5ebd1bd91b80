/**
 * Carries out the turn machine's decisions about cascade replies: prepares, begins, holds and cancels them. It makes no
 * decisions itself.
 */
import { unansweredTurn } from "../../conversation/unanswered-turn.ts";
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { notUnderstoodItem } from "@voice/shared/conversation/not-understood";
import { withheldItem } from "@voice/shared/conversation/withheld-words";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCallOutcome } from "../../../pipeline/cascade/tool-call-outcome.ts";
import type { AnswerCut } from "../../../pipeline/cut-answers.ts";
import { askedEffects } from "../../../pipeline/asked-effects.ts";
import { toModelMessages } from "../../../pipeline/cascade/model-messages.ts";
import { createReply } from "../../../pipeline/cascade/reply.ts";
import type { ReplyContent, ReplyOutput } from "../../../pipeline/cascade/reply.ts";
import { takeHandoff, takeHandoffsBack } from "../../conversation/taken-handoff.ts";
import { settleEffects, takeEffect, withdrawalOn, withdrawOutcomes } from "../../conversation/withdraw-effects.ts";
import { callerItem } from "../../conversation/caller-item.ts";
import { Fillers } from "../../output/fillers.ts";
import { isAnswer, keepReply } from "../../output/finished-reply.ts";
import { spokenParts } from "../../output/spoken-parts.ts";
import { toolFinishedNotice, toolStartedNotice } from "../../output/tool-notices.ts";
import { agentWords } from "../../output/agent-words.ts";
import type { CancelReason, ReplyPlan } from "../../turn/turn-effects.ts";
import { silentModel, silentTools, silentVoice } from "../../output/silent-part.ts";
import type { SilentPart } from "../../output/silent-part.ts";
import type { ReplyEnding } from "../../output/session-probe.ts";
import type { SessionReplies } from "../session-replies.ts";
import { LateTools } from "./late-tools.ts";
import { openReply } from "./open-reply.ts";
import type { OpenReply } from "./open-reply.ts";
import { ReplyContents } from "./reply-content.ts";
import { markAudio, markClause, markEndOfTurn } from "./reply-marks.ts";
import type { ReplyRunnerOptions } from "./reply-runner-options.ts";
import { ModelActivity } from "./model-activity.ts";

export class ReplyRunner implements SessionReplies {
  readonly #options: ReplyRunnerOptions;
  readonly #contents: ReplyContents;
  readonly #fillers = new Fillers();
  readonly #lateTools: LateTools;
  /** The next reply, as far as it does not depend on what it answers. */
  #next: { readonly agent: Agent; readonly catalog: SessionCatalog; readonly open: OpenReply } | undefined;
  #running: OpenReply | undefined;
  #prepared: OpenReply | undefined;
  #heardLast = "";
  /** Number of prepared answers that were discarded since the last answer. */
  #discarded = 0;

  constructor(options: ReplyRunnerOptions) {
    this.#options = options;
    this.#contents = new ReplyContents(options.conversation, options);
    this.#lateTools = new LateTools(options.conversation);
  }

  /** Does not include a prepared reply. */
  get isReplying(): boolean {
    return this.#running !== undefined;
  }

  /** The agent's last words, as far as known. Those of a reply that has none yet are the ones before it. */
  get lastWords(): string {
    const text = this.#running?.track.text ?? "";
    return text === "" ? this.#heardLast : text;
  }

  get silentPart(): SilentPart {
    const { reply, runningTools = [] } = this.#running ?? {};
    if (reply?.waitsForVoice === true) return silentVoice;
    const awaited = [...runningTools, ...this.#lateTools.names];
    return awaited.length > 0 ? silentTools(awaited) : silentModel;
  }

  prepare(text: string): void {
    this.discardPrepared();
    this.#prepared = this.#open(this.#contents.answerTo(text), this.#options.clock.now());
  }

  discardPrepared(): void {
    if (this.#prepared === undefined) return;
    this.#prepared.reply?.cancel();
    this.#prepared.track.release();
    this.#prepared = undefined;
    this.#discarded++;
  }

  begin(plan: ReplyPlan): void {
    const { conversation, playout } = this.#options;
    const open = (plan.prepared ? this.#prepared : undefined) ?? this.#open(this.#contents.contentOf(plan));
    if (open === this.#prepared) this.#prepared = undefined;
    this.discardPrepared();
    open.plan = plan;
    if (open.track.length > 0) open.answerFrom = 0; // prepared: a filler bridges the wait for words only once a reply has begun
    this.#running = open;
    if (plan.kind === "greeting") conversation.markVisited();
    // A prepared answer is heard from here on, and nobody waits for what follows.
    playout.play(open.track, plan.turnId);
    open.reply?.commit(plan.turnId);
    if (isAnswer(plan)) this.#noteAnswer(open, plan);
  }

  hold(): void {
    this.#options.playout.hold();
  }

  resume(): void {
    this.#options.playout.resume();
    this.#options.onProgress();
  }

  /** FILL-1. */
  sayFiller(): void {
    this.#running?.reply?.bridge(this.#nextFiller());
  }

  /** A tool has a deadline of its own, which may be longer than a caller would accept in silence. */
  fillPause(): boolean {
    if (this.silentPart.part !== "tool") return false;
    const filler = this.#nextFiller();
    // The tool's own notice may have the same words.
    this.#running?.reply?.fillPause(this.lastWords.endsWith(filler) ? this.#nextFiller() : filler);
    return true;
  }

  cancel(reason: CancelReason): void {
    const open = this.#running;
    if (open === undefined) return;
    this.#running = undefined;
    open.withdrawal = withdrawalOn(reason);
    const heard = open.heardOfBroken ?? this.#options.playout.stop(); // StopAudio first (BARGE-5), everything else after it
    this.#lateTools.leave(open);
    open.reply?.cancel({ keepsLookUps: reason === "barge_in" && open.lookingUp.length > 0 });
    if (open.plan?.kind === "announcement" && reason !== "ended") this.#options.recorder.abandon();
    if (reason === "barge_in")
      this.#options.notify({ type: "event", payload: { name: "barge_in", turn_id: open.plan?.turnId, reason } });
    this.#finish(open, heard, reason);
  }

  onAudible(): void {
    const open = this.#running;
    open?.timeline.reach(open.answerFrom === undefined ? "filler_ms" : "first_audio_ms", this.#options.clock.now());
  }

  onDrained(heard: string): void {
    const open = this.#running;
    if (open === undefined) return;
    const { broken, plan } = open;
    if (broken !== undefined) {
      open.broken = undefined;
      open.heardOfBroken = heard;
      return this.#options.onFailed(plan?.turnId ?? "", "model", broken);
    }
    this.#running = undefined;
    this.#finish(open, heard, "complete");
  }

  close(): void {
    this.discardPrepared();
    this.#lateTools.drop();
    this.cancel("ended"); // the caller is gone, or continues on another host, which does what was asked for
  }

  #nextFiller(): string {
    const { agent, language } = this.#options.conversation;
    return this.#fillers.next(agent.speech.fillers, language.sentences.fillers);
  }

  #noteAnswer(open: OpenReply, plan: ReplyPlan): void {
    const { conversation, clock } = this.#options;
    markEndOfTurn(open, plan, { recognition: this.#options.takeRecognition(), nowMs: clock.now() });
    if (this.#discarded > 0) open.timeline.add("preparations_discarded", this.#discarded);
    this.#discarded = 0;
    if (plan.origin === "taken-over")
      for (const effect of askedEffects(unansweredTurn(conversation.modelHistory)?.since ?? []))
        takeEffect(effect, open.effects, this.#options.onEffect);
    else conversation.append([this.#callerSaid(plan, open.agent)]); // HIST-1
  }

  #open(content: ReplyContent, preparedAtMs?: number): OpenReply {
    const { agent, catalog } = this.#options.conversation;
    const isAsExpected = this.#next?.agent === agent && this.#next.catalog === catalog;
    const { open } = (isAsExpected ? this.#next : undefined) ?? this.#create();
    this.#next = undefined;
    open.preparedAtMs = preparedAtMs;
    this.#lateTools.start(open, content);
    return open;
  }

  #create() {
    const { agent, catalog } = this.#options.conversation;
    const open = openReply(agent.name);
    open.reply = createReply(agent, open.track, { ...this.#options.reply, catalog }, this.#output(open));
    return { agent, catalog, open };
  }

  #output(open: OpenReply): ReplyOutput {
    const { clock, conversation, notify, playout, probe, onProgress } = this.#options;
    const turnId = (): string => open.plan?.turnId ?? "";
    return {
      onText: (text, agent) =>
        notify({ type: "response", payload: { text, agent, turn_id: turnId(), is_final: false } }),
      onWritten: () => this.#options.onWritten(turnId()),
      onClause: (agent, { isFiller, textStart, sampleStart }) => {
        markClause(open, clock.now());
        if (!isFiller) {
          open.timeline.reach("first_clause_ms", clock.now());
          open.answerFrom ??= sampleStart;
        }
        if (open.segments.at(-1)?.agent !== agent) open.segments.push({ agent, textStart });
      },
      onGuardrail: (hit) => {
        open.timeline.add("guardrail_hits", hit.names.length);
        open.guardrails.add(hit);
        this.#options.onGuardrail(turnId(), hit);
      },
      onProgress: () => {
        markAudio(open, clock.now(), playout);
        playout.pump();
        onProgress();
      },
      onComplete: () => {
        open.synthesis?.end(clock.now());
        playout.pump();
        onProgress();
        this.#options.onWhole();
      },
      onFailed: (failure, error) => {
        if (failure === "voice") open.synthesis?.end(clock.now(), { errorType: error.code });
        // A prepared reply that failed is tried again when its turn ends, so the failure is not reported.
        if (open.plan !== undefined) this.#options.onFailed(turnId(), failure, error);
        else if (this.#prepared === open) this.#prepared = undefined;
      },
      onBroken: (error) => {
        open.broken = error;
      },
      onToolsStarted: (calls) => {
        open.runningTools = calls.map(({ name }) => name);
        const { tools } = this.#options.reply;
        open.lookingUp = calls.every((call) => tools.lookUpKey?.(conversation.agent, call) !== undefined) ? calls : [];
        for (const call of calls) notify(toolStartedNotice(call, turnId()));
      },
      onToolsFinished: (outcomes, items) => this.#takeOutcomes(open, outcomes, items),
      onHandoff: (handoff) => {
        open.agent = handoff.to.name;
        open.handoffs.push(takeHandoff(handoff, this.#options));
      },
      onEffect: (effect) => takeEffect(effect, open.effects, this.#options.onEffect),
      onAwaits: (awaits) => this.#options.onAwaits(awaits),
      onAsked: (request) =>
        probe.wantsActivities ? new ModelActivity(request, open.timeline.activities, clock) : undefined,
      onFirstToken: () => open.timeline.reach("model_first_token_ms", clock.now()),
      onUsage: (usage) => open.timeline.addUsage(usage),
      onCut: (ofTurn, cut) => this.#takeCut(open, ofTurn, cut),
      onRoundsSpent: this.#options.onRoundsSpent,
    };
  }

  /** MODEL-1, MODEL-2. */
  #takeCut(open: OpenReply, turnId: string, cut: AnswerCut): void {
    const { conversation, clock, onCut } = this.#options;
    open.cut = cut === "length" ? "length" : "content_filter";
    if (cut === "filtered-prompt")
      conversation.append([withheldItem({ agent: open.agent, turnId, timestampMs: clock.wallNow() })]);
    onCut(turnId, cut);
  }

  #takeOutcomes(open: OpenReply, outcomes: readonly ToolCallOutcome[], items: readonly HistoryItem[]): void {
    const { conversation, notify } = this.#options;
    open.runningTools = [];
    open.lookingUp = [];
    for (const outcome of outcomes) {
      conversation.remember(outcome.memory);
      notify(toolFinishedNotice(outcome, open.plan?.turnId ?? ""));
    }
    open.timeline.addTools(outcomes, this.#options.clock.now());
    const { length } = conversation.knownHistory;
    conversation.append(items); // HIST-3: the tools ran, whatever happens to the reply
    if (open.withdrawal !== undefined) withdrawOutcomes(outcomes, open.withdrawal, conversation, this.#placeOf(open));
    this.#lateTools.finished(open, conversation.knownHistory.slice(length));
  }

  #placeOf({ agent, plan }: OpenReply) {
    return { agent, turnId: plan?.turnId ?? "", timestampMs: this.#options.clock.wallNow() };
  }

  #finish(open: OpenReply, heard: string, ending: ReplyEnding): void {
    const { plan, timeline, agent, cut, guardrails } = open;
    if (plan === undefined) return;
    if (heard !== "") this.#heardLast = heard;
    const { conversation } = this.#options;
    const summaryTokens = isAnswer(plan) ? conversation.takeSummaryTokens() : 0;
    if (summaryTokens > 0) timeline.add("summary_tokens", summaryTokens);
    const parts = spokenParts(heard, open.segments);
    const words = agentWords(heard, parts, (textEnd) => open.track.sampleOf(textEnd));
    keepReply({ plan, timeline, agent, parts, words, ending, cut, guardrails }, this.#options);
    if (open.withdrawal === "talked_over")
      open.agent = takeHandoffsBack(open.handoffs, parts, this.#options, this.#placeOf(open)) ?? open.agent;
    this.#prepareNext();
    const { effects, withdrawal } = open;
    settleEffects({ effects, withdrawal, ending, place: this.#placeOf(open) }, this.#options);
  }

  /**
   * What the next reply and its request need and is known already is made now, while nobody waits for it. What the request needs is
   * cached where it is made.
   */
  #prepareNext(): void {
    const { conversation, reply } = this.#options;
    this.#next = this.#create();
    toModelMessages(conversation.modelHistory);
    reply.tools.definitions(conversation.agent);
  }

  #callerSaid({ kind, text, turnId }: ReplyPlan, agent: string): HistoryItem {
    const timestampMs = this.#options.clock.wallNow();
    if (kind === "clarification")
      return notUnderstoodItem({ agent, turnId, timestampMs }, text === "" ? undefined : text);
    return callerItem({ text, agent, turnId, timestampMs });
  }
}
