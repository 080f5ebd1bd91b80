/**
 * Runs an agent for one turn: asks the model, runs the tools it calls, takes a handoff, and asks again until there is
 * nothing more to do. Text is streamed as it is generated; the loop's caller decides how it is spoken.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { explainedError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { LanguageModel, ModelMessage } from "@voice/provider-kit/ports/language-model";
import { askModel } from "./ask-model.ts";
import type { ModelAnswer, ModelAnswerOutput } from "./ask-model.ts";
import { packOf } from "@voice/shared/languages/packs";
import { wordsAfterCut } from "../cut-answers.ts";
import { mayCallTools, roundsSpent, runToolRound } from "../tool-round.ts";
import type { ToolRunner } from "../tool-round.ts";
import type { AnswerCut } from "../cut-answers.ts";
import { notUnderstood, toModelMessages } from "./model-messages.ts";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import type { ToolCallResult } from "@voice/shared/tools/run-tools";
import { RunningLookUps } from "./running-look-ups.ts";
import type { RunningLookUp } from "./running-look-ups.ts";
import { planHandoff } from "./plan-handoff.ts";
import { promptAt } from "../prompt-at.ts";
import { requestedEffects } from "../requested-effects.ts";
import type { RequestedEffect } from "../requested-effects.ts";
import { hasWords } from "../speaking/speakable-text.ts";
import type { ChosenHandoff } from "./choose-handoff.ts";

export interface AgentLoopOutput extends ModelAnswerOutput {
  /** Ends the current sentence (before a tool runs or another agent takes over). */
  onSentenceEnd(): void;
  onToolsStarted(calls: readonly ToolCall[]): void;
  onToolsFinished(outcomes: readonly ToolCallResult[], items: readonly HistoryItem[]): void;
  onHandoff(handoff: ChosenHandoff): void;
  onEffect(effect: RequestedEffect): void;
  /** The reply is complete. `awaits`: what it asks the caller for. */
  onAwaits(awaits: AwaitedAnswer | undefined): void;
  /** The model did not complete its response; an apology follows. */
  onCut(cut: AnswerCut): void;
  /** The model has called tools in the highest permitted number of rounds, and may call no more in this turn (TOOL-11). */
  onRoundsSpent(rounds: number): void;
}

export interface AgentTurn {
  readonly agent: Agent;
  /** Undefined if the caller spoke and nothing was understood (TURN-13). */
  readonly userText: string | undefined;
  /** TURN-16: what the caller may have said if nothing was understood. */
  readonly guess?: string | undefined;
  /** BARGE-12: the agent has taken over and has not introduced itself yet. */
  readonly greeting?: string | undefined;
  /** What an earlier, unfinished reply has already done in this turn. */
  readonly since?: readonly HistoryItem[] | undefined;
  /** Look-ups of an earlier reply that are still running. */
  readonly lookUps?: readonly RunningLookUp[] | undefined;
  /** The history before this turn that the agent may see. */
  readonly history: readonly HistoryItem[];
  readonly memory: Readonly<Record<string, unknown>>;
  readonly visitedAgents: readonly string[];
}

export interface AgentLoopOptions {
  readonly model: LanguageModel;
  readonly catalog: SessionCatalog;
  readonly tools: ToolRunner;
  /** Wall clock, for the stored items. */
  readonly wallNow: () => number;
  /** Resolves to the turn's id once the turn is certain. Nothing with a side effect happens before (TURN-10). */
  readonly committed: Promise<string>;
  /** Aborted when the result of running look-ups is no longer needed. */
  readonly dropped?: AbortSignal | undefined;
}

export async function runAgentLoop(
  turn: AgentTurn,
  options: AgentLoopOptions,
  output: AgentLoopOutput,
  signal: AbortSignal,
): Promise<void> {
  await new AgentLoop(turn, options, output, signal).run();
}

/** Holds what changes between requests: the active agent and the history. */
class AgentLoop {
  readonly #turn: AgentTurn;
  readonly #options: AgentLoopOptions;
  readonly #output: AgentLoopOutput;
  readonly #signal: AbortSignal;
  readonly #userMessage: ModelMessage;
  readonly #messages: ModelMessage[];
  readonly #lookUps: RunningLookUps;
  #agent: Agent;
  #memory: Readonly<Record<string, unknown>>;
  #handoffs = 0;
  /** Outcomes of the tool calls in the previous response. */
  #ran: readonly ToolCallResult[] = [];
  #previousAgent: string | undefined;
  #handoffReason: string | undefined;
  /** Nothing was spoken, and no tool has run. */
  #isSilent = true;
  /** The caller is waiting to hear something: nothing was spoken since they stopped, or since a tool returned a result. */
  #owesWords = true;
  #hasSucceeded = false;

  constructor(turn: AgentTurn, options: AgentLoopOptions, output: AgentLoopOutput, signal: AbortSignal) {
    this.#turn = turn;
    this.#options = options;
    this.#output = output;
    this.#signal = signal;
    this.#agent = turn.agent;
    this.#memory = turn.memory;
    const { userText, guess, since = [] } = turn;
    this.#userMessage = userText === undefined ? notUnderstood(guess) : { role: "user", content: userText };
    this.#messages = [...toModelMessages(turn.history), this.#userMessage];
    if (since.length > 0) this.#messages.push(...toModelMessages(since));
    this.#lookUps = new RunningLookUps(turn.lookUps ?? [], this.#messages);
  }

  async run(): Promise<void> {
    this.#isSilent = !sayAgain(this.#turn.since ?? [], this.#output);
    this.#owesWords = this.#isSilent;
    this.#greet(this.#turn.greeting);
    const { wallNow } = this.#options;
    const sinceMs = wallNow();
    for (let rounds = 0; ; rounds++) {
      const isLast = !mayCallTools(this.#agent, { rounds, workedMs: wallNow() - sinceMs });
      if (isLast) await this.#endTools(rounds);
      const answer = await this.#askForWords({ isLast });
      const isWordless = !hasWords(answer.text);
      this.#isSilent &&= isWordless;
      this.#owesWords &&= isWordless;
      if (answer.end === "content-filter")
        return this.#endCut(answer.text.trim() === "" ? "filtered-prompt" : "filtered-answer");
      if (answer.calls.length === 0 && this.#lookUps.areRunning) {
        this.#output.onSentenceEnd();
        await this.#lookUps.settle(answer.text, this.#signal);
        continue;
      }
      if (answer.calls.length === 0) return this.#end(answer);
      if (isLast && hasWords(answer.text)) return this.#end({ ...answer, end: "stop" });
      if (isLast) throw tooManyRounds(rounds);
      const handoff = await this.#runTools(answer);
      if (handoff !== undefined) this.#takeHandoff(handoff);
    }
  }

  /** TOOL-11. This note is not a turn of its own, because the caller did not say it. */
  async #endTools(rounds: number): Promise<void> {
    this.#messages.push({ role: "system", content: roundsSpent });
    await this.#options.committed;
    this.#output.onRoundsSpent(rounds);
  }

  /** If the response is empty, the caller would hear silence. */
  async #end({ end, awaits }: ModelAnswer): Promise<void> {
    if (this.#owesWords && this.#hasSucceeded) {
      // MODEL-14: an apology here would suggest that the completed action has failed.
      this.#output.onSentenceEnd();
      this.#output.onText(packOf(this.#agent.speech.language).sentences.nothingToAdd);
      return this.#output.onAwaits(undefined);
    }
    if (this.#isSilent)
      throw explainedError(
        "upstream_unavailable",
        end === "length"
          ? "the language model used up its token limit before the first word; reasoning counts towards it"
          : "the language model had nothing to say",
      );
    if (end === "length") await this.#endCut("length");
    else this.#output.onAwaits(awaits);
  }

  async #endCut(cut: AnswerCut): Promise<void> {
    await this.#options.committed;
    this.#signal.throwIfAborted();
    this.#output.onSentenceEnd();
    this.#output.onCut(cut);
    this.#output.onText(wordsAfterCut(cut, packOf(this.#agent.speech.language).sentences));
  }

  /** MODEL-14: models sometimes return an empty response, and usually a full one when they are asked again. */
  async #askForWords(how: { readonly isLast: boolean }): Promise<ModelAnswer> {
    const answer = await this.#ask(how);
    const isEmpty = answer.end === "stop" && answer.calls.length === 0 && !hasWords(answer.text);
    return isEmpty && this.#owesWords ? this.#ask(how) : answer;
  }

  #ask({ isLast }: { readonly isLast: boolean }): Promise<ModelAnswer> {
    const { model, catalog, tools, wallNow } = this.#options;
    const agent = this.#agent;
    const memory = this.#memory;
    const known = { memory, previousAgent: this.#previousAgent, handoffReason: this.#handoffReason };
    const prompt = promptAt(wallNow(), catalog, agent, known);
    return askModel(
      model,
      {
        agent,
        messages: [{ role: "system", content: prompt }, ...this.#messages],
        tools: tools.definitions(agent),
        ...(isLast && { toolChoice: "none" }),
        settings: agent.model.cascade,
        memory,
        previousAgent: this.#previousAgent,
        timeZone: catalog.timeZone,
      },
      this.#output,
      this.#signal,
    );
  }

  async #runTools({ calls, text }: ModelAnswer): Promise<ChosenHandoff | undefined> {
    const { tools, catalog, committed, wallNow } = this.#options;
    const agent = this.#agent;
    const output = this.#output;
    const signal = this.#signal;
    const turnId = await committed;
    output.onSentenceEnd();
    // The reply was cancelled, or a guardrail found something in the end of the sentence.
    signal.throwIfAborted();
    this.#lookUps.called(calls, (call) => tools.lookUpKey?.(agent, call));
    output.onToolsStarted(calls);
    const onSlow = (notice: string): void => {
      if (signal.aborted) return;
      output.onText(notice);
      output.onSentenceEnd();
    };
    const { visitedAgents } = this.#turn;
    const { ran, outcomes, handoff, items } = await runToolRound(
      tools,
      {
        calls,
        context: { turnId, agent, memory: this.#memory, before: this.#ran, dropped: this.#options.dropped },
        preamble: text,
        handoffs: this.#handoffs,
        planHandoff: (wanted) => planHandoff(catalog, agent, wanted, { memory: this.#memory, visitedAgents }),
        wallNow,
      },
      onSlow,
      signal,
    );
    this.#ran = ran;
    output.onToolsFinished(outcomes, items);
    this.#memory = Object.assign({}, this.#memory, ...outcomes.map((outcome) => outcome.memory));
    signal.throwIfAborted();
    this.#messages.push(...toModelMessages(items));
    for (const effect of requestedEffects(items)) output.onEffect(effect);
    const hasEffects = outcomes.some(({ effects }) => effects.length > 0);
    this.#isSilent &&= !hasEffects;
    this.#owesWords = !hasEffects;
    this.#hasSucceeded ||= outcomes.some(({ status }) => status === "success");
    return handoff;
  }

  #takeHandoff(handoff: ChosenHandoff): void {
    this.#handoffs++;
    this.#memory = { ...this.#memory, ...handoff.context };
    this.#previousAgent = this.#agent.name;
    this.#handoffReason = handoff.reason;
    this.#owesWords = true;
    this.#output.onHandoff(handoff);
    if (!handoff.shareContext) this.#messages.splice(0, this.#messages.length, this.#userMessage);
    this.#greet(handoff.greeting);
    this.#agent = handoff.to;
  }

  /** The new agent takes over: after its greeting it continues with the caller's request. */
  #greet(greeting: string | undefined): void {
    if (greeting === undefined) return;
    this.#isSilent = false;
    this.#owesWords = false;
    this.#output.onText(greeting);
    this.#output.onSentenceEnd();
    this.#messages.push({ role: "assistant", content: greeting });
  }
}

/** MODEL-3: the model calls tools although none are offered. */
function tooManyRounds(rounds: number): VoiceError {
  const reason = `the language model called tools in ${rounds + 1} requests in a row`;
  return explainedError("upstream_unavailable", reason, { retryable: false });
}

/**
 * Says again the words from before the tools ran; returns whether there were any, or effects, which announce
 * themselves.
 */
function sayAgain(since: readonly HistoryItem[], output: AgentLoopOutput): boolean {
  const written = since.flatMap(({ preamble }) => preamble ?? []);
  for (const text of written) {
    output.onText(text);
    output.onSentenceEnd();
  }
  return written.length > 0 || since.some(({ effects }) => effects !== undefined);
}
