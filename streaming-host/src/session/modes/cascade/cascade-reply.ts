/**
 * A reply of the cascade, from the caller's text (or a fixed sentence) to audio in its track: a language model writes it, and a synthesiser
 * speaks it. It may be prepared before its turn is certain (TURN-10): the model runs and the first clause is synthesised into the track,
 * but nothing is reported until `commit`.
 */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Agent } from "@voice/shared/catalog/agent";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { runAgentLoop } from "../../../pipeline/cascade/agent-loop.ts";
import type { AgentLoopOptions, AgentLoopOutput, AgentTurn } from "../../../pipeline/cascade/agent-loop.ts";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import { replyCancelled } from "../../../pipeline/reply-cancelled.ts";
import type { ClauseStart } from "../../../pipeline/speaking/clause-line.ts";
import { hasWords } from "../../../pipeline/speaking/speakable-text.ts";
import { Speaker } from "../../../pipeline/speaking/speaker.ts";
import { spokenParts } from "../../output/spoken-parts.ts";
import type { AgentSegment, SpokenPart } from "../../output/spoken-parts.ts";
import type { OpenActivity, TurnActivities } from "../../output/turn-activities.ts";
import { OpenReply } from "../../reply/open-reply.ts";
import type { ReplyContext } from "../../reply/open-reply.ts";
import type { Clock } from "@voice/shared/platform/clock";
import type { Attributes } from "@voice/shared/telemetry/telemetry";
import type { RequestObserver } from "../../../pipeline/cascade/ask-model.ts";
import { usageOf } from "../../output/turn-activities.ts";

export type ReplyContent =
  /** `opener` is said before the model's first words. */
  | { readonly type: "agent"; readonly turn: AgentTurn; readonly opener?: string | undefined }
  /** Fixed words without a model: a greeting, a reprompt, an apology. */
  | { readonly type: "fixed"; readonly text: string };

export interface ReplyOptions extends Omit<AgentLoopOptions, "committed" | "dropped"> {
  readonly synthesiser: Pick<Synthesiser, "synthesise">;
  readonly language: string;
  readonly sampleRateHz: number;
}

export interface CascadeReplyEvents {
  /** All audio is in the track. */
  onWhole(): void;
  /** What the agent has just asked for. */
  onAwaits(awaits: AwaitedAnswer | undefined): void;
  onFailed(reply: CascadeReply, failure: "model" | "voice", error: VoiceError): void;
  /** The tools of a reply have finished, also if the reply has not waited for them. `items`: what they have added to the history. */
  onToolsFinished(reply: CascadeReply, items: readonly HistoryItem[]): void;
}

/** When the caller spoke and when the recogniser finalised what they said, on the session clock. */
export interface Recognition {
  /** Undefined if the start of the caller's speech was not detected. */
  readonly sinceMs: number | undefined;
  readonly atMs: number;
}

export class CascadeReply extends OpenReply {
  readonly #options: ReplyOptions;
  readonly #events: CascadeReplyEvents;
  readonly #speaker: Speaker;
  readonly #abort = new AbortController();
  /** Also aborted where a guardrail ends the reply: the model and its tools stop, and what was written is still spoken. */
  readonly #writing = new AbortController();
  readonly #lookUps = new AbortController();
  readonly #committed = Promise.withResolvers<string>();
  /** Reports held back until the reply is certain; undefined afterwards. */
  #heldBack: (() => void)[] | undefined = [];
  /** Set if the reply was prepared before the turn ended. */
  #preparedAtMs: number | undefined;
  #isFixed = false;
  #isBridging = false;
  /** Clauses of fillers that have not begun to play; they come before all others. */
  #fillerClauses = 0;
  /** Which agent speaks from which offset of the text on; more than one after a handoff. */
  readonly #segments: AgentSegment[] = [];
  /** The reply's synthesis, from its first clause to its last audio. */
  #synthesis: OpenActivity | undefined;
  #lookingUp: readonly ToolCall[] = [];

  constructor(context: ReplyContext, agent: Agent, options: ReplyOptions, events: CascadeReplyEvents) {
    super(context, agent.name);
    this.#options = options;
    this.#events = events;
    this.#speaker = this.#createSpeaker(agent);
  }

  /** The reply has words whose audio has not arrived. */
  get waitsForVoice(): boolean {
    return this.#speaker.waitsForAudio;
  }

  /** The calls whose tools run now, if all are look-ups, which may go on without this reply (TOOL-10). */
  get lookingUp(): readonly ToolCall[] {
    return this.#lookingUp;
  }

  /** Called once. Before that nothing happens, and nothing where it was cancelled. */
  start(content: ReplyContent): void {
    if (this.#abort.signal.aborted) return;
    this.#isFixed = content.type === "fixed";
    void this.#run(content);
  }

  /** The turn is certain: tools may run, all audio may be generated, and what was held back is reported. */
  commit(): void {
    const heldBack = this.#heldBack ?? [];
    this.#heldBack = undefined;
    for (const action of heldBack) action();
    this.#speaker.release();
    this.#committed.resolve(this.plan.turnId);
  }

  /** Speaks this filler after the words that there are (FILL-1, FAIL-3). */
  bridge(filler: string): void {
    if (this.#abort.signal.aborted) return;
    this.#isBridging = true;
    this.#speaker.say(filler);
    this.#speaker.endSentence();
    this.#isBridging = false;
  }

  /** Idempotent; reaches the model, the tools that allow it and the synthesiser before it returns. */
  cancel({ keepsLookUps } = { keepsLookUps: false }): void {
    if (this.#abort.signal.aborted) return;
    if (!keepsLookUps) this.dropLookUps();
    this.#abort.abort(replyCancelled);
    this.#writing.abort(replyCancelled);
    this.#committed.resolve(""); // lets whatever waits for it notice the abort
  }

  /** Ends the look-ups, because nobody needs their results any more. */
  dropLookUps(): void {
    this.#lookUps.abort(replyCancelled);
  }

  markPrepared(): void {
    this.#preparedAtMs = this.context.clock.now();
  }

  /** The caller's turn has ended, and this reply answers it. `recognition`: undefined if it was typed. */
  markEndOfTurn(recognition: Recognition | undefined): void {
    const { timeline } = this;
    const { anchorMs, endOfTurn } = this.plan;
    if (recognition !== undefined) {
      const { sinceMs, atMs } = recognition;
      timeline.reach("recognised_ms", atMs);
      const startMs = Math.min(sinceMs ?? anchorMs, atMs);
      timeline.activities.add({ part: "recognition", name: "recognition", startMs, endMs: atMs, attributes: {} });
    }
    timeline.reach("end_of_turn_ms", this.context.clock.now());
    if (this.#preparedAtMs !== undefined) timeline.reach("prepared_ms", this.#preparedAtMs);
    if (endOfTurn !== undefined) timeline.explain(endOfTurn);
  }

  partsOf(heard: string): SpokenPart[] {
    return spokenParts(heard, this.#segments);
  }

  async #run(content: ReplyContent): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#write(content);
    } catch (error) {
      if (signal.aborted) return;
      if (!this.#writing.signal.aborted) {
        if (!this.isWritten) return this.#events.onFailed(this, "model", toVoiceError(error));
        this.breakOff(toVoiceError(error));
      }
    }
    this.#speaker.endSentence(); // a short answer is one clause, which nothing after it would end
    await this.#committed.promise;
    try {
      await this.#speaker.finish();
      if (!signal.aborted) this.#complete();
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.#failToSpeak(toVoiceError(error));
    }
  }

  async #write(content: ReplyContent): Promise<void> {
    if (content.type === "fixed") return this.#sayText(content.text);
    if (content.opener !== undefined) {
      this.#sayText(content.opener);
      this.#speaker.endSentence();
    }
    const options = { ...this.#options, committed: this.#committed.promise, dropped: this.#lookUps.signal };
    await runAgentLoop(content.turn, options, this.#loopOutput(), this.#writing.signal);
  }

  #loopOutput(): AgentLoopOutput {
    const { timeline } = this;
    const { clock, probe } = this.context;
    return {
      onText: (delta) => this.#sayText(delta),
      onSentenceEnd: () => {
        if (!this.#abort.signal.aborted) this.#speaker.endSentence();
      },
      onRequest: (request) =>
        probe.wantsActivities ? beginModelActivity(request, timeline.activities, clock) : undefined,
      onFirstToken: () => timeline.reach("model_first_token_ms", clock.now()),
      onUsage: (usage) => timeline.addUsage(usage),
      onToolsStarted: (calls) => this.#startTools(calls),
      onToolsFinished: (outcomes, items) => this.#finishTools(outcomes, items),
      onHandoff: (handoff) => {
        this.takeHandoff(handoff);
        this.#speaker.speakAs(handoff.to);
      },
      onEffect: (effect) => this.takeEffects([effect]),
      onAwaits: (awaits) => this.#tell(() => this.#events.onAwaits(awaits)),
      onCut: (cut) => this.cutShort(cut),
      onRoundsSpent: (rounds) => this.roundsSpent(rounds),
    };
  }

  #sayText(delta: string): void {
    if (this.#abort.signal.aborted) return;
    // Some models begin with empty lines, and take their time after them.
    if (!this.isWritten && hasWords(delta)) this.#tell(() => this.written());
    this.#speaker.say(delta);
  }

  #startTools(calls: readonly ToolCall[]): void {
    const { tools } = this.#options;
    const { agent } = this.context.conversation;
    this.#lookingUp = calls.every((call) => tools.lookUpKey?.(agent, call) !== undefined) ? calls : [];
    this.toolsStarted(calls);
  }

  #finishTools(outcomes: readonly ToolCallResult[], items: readonly HistoryItem[]): void {
    const { conversation } = this.context;
    const { length } = conversation.knownHistory;
    this.#lookingUp = [];
    this.toolsFinished(outcomes, items);
    this.withdrawOutcomes(outcomes);
    this.#events.onToolsFinished(this, conversation.knownHistory.slice(length));
  }

  /** Nothing is reported for a reply that is only prepared, or was cancelled. */
  #tell(action: () => void): void {
    if (this.#abort.signal.aborted) return;
    if (this.#heldBack === undefined) action();
    else this.#heldBack.push(action);
  }

  #createSpeaker(agent: Agent): Speaker {
    const { synthesiser, language, sampleRateHz } = this.#options;
    return new Speaker(
      {
        synthesiser,
        language,
        sampleRateHz,
        isFixed: () => this.#isFixed,
        sink: this.track,
        isUncertain: true,
        onText: (text, name) => {
          if (this.#isBridging) this.#fillerClauses++;
          this.#tell(() => this.show(text, name));
        },
        onProgress: () =>
          this.#tell(() => {
            this.markAudio();
            this.play();
          }),
        onClause: (_text, name, start) => this.#tell(() => this.#beginClause(name, start)),
        onGuardrail: (hit) => this.#tell(() => this.hitGuardrail(hit)),
        onStopped: () => {
          this.dropLookUps();
          this.#writing.abort(replyCancelled);
        },
      },
      agent,
      this.#abort.signal,
    );
  }

  /** A clause is about to play. */
  #beginClause(agent: string, { textStart, sampleStart }: ClauseStart): void {
    const nowMs = this.context.clock.now();
    const synthesis = { part: "synthesis", name: "synthesis", startMs: nowMs, attributes: {} } as const;
    this.#synthesis ??= this.timeline.activities.begin(synthesis);
    if (this.#fillerClauses > 0) this.#fillerClauses--;
    else {
      this.timeline.reach("first_clause_ms", nowMs);
      this.answerBegins(sampleStart);
    }
    if (this.#segments.at(-1)?.agent !== agent) this.#segments.push({ agent, textStart });
  }

  #complete(): void {
    this.#synthesis?.end(this.context.clock.now());
    this.play();
    this.#events.onWhole();
  }

  #failToSpeak(error: VoiceError): void {
    this.#synthesis?.end(this.context.clock.now(), { errorType: error.code });
    this.#events.onFailed(this, "voice", error);
  }
}

/** Records a request to the language model among a reply's activities, following the GenAI conventions. */
function beginModelActivity(
  { agent, settings }: ModelRequest,
  activities: TurnActivities,
  clock: Clock,
): RequestObserver {
  const startMs = clock.now();
  const model = settings.deploymentId;
  const activity = activities.begin({
    part: "model",
    name: `chat ${model}`,
    startMs,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": model, "gen_ai.agent.name": agent.name },
  });
  let attributes: Attributes = {};
  return {
    onFirstEvent() {
      attributes = { "gen_ai.response.time_to_first_chunk": (clock.now() - startMs) / 1000 };
    },
    onFinished({ reason, usage }) {
      attributes = { ...attributes, "gen_ai.response.finish_reasons": reason, ...(usage && usageOf(usage)) };
    },
    onEnded: () => activity.end(clock.now(), { attributes }),
    onFailed: (error) => activity.end(clock.now(), { attributes, errorType: toVoiceError(error).code }),
    onCancelled: () => activity.end(clock.now(), { attributes: { ...attributes, "voice.cancelled": true } }),
  };
}
