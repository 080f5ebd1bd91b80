/**
 * Splits a long history into the part that the model still reads verbatim and the part that it reads as a summary.
 * Pure. A model may write the summary; otherwise `plainSummary` does.
 */
import type { HistoryItem } from "../state/ports/session-store.ts";
import { estimateTokens } from "./estimate-tokens.ts";

export interface HistoryBudget {
  /** For the history alone; the prompt, tools and answer need further tokens of the model's context. */
  readonly maxTokens: number;
  /** The latest turns are never summarised, whatever they cost, because the conversation would lose its thread. */
  readonly keepTurns: number;
}

export const defaultHistoryBudget: HistoryBudget = { maxTokens: 6000, keepTurns: 4 };

/** Tools take about as much again as the history may have, so it gets half of what prompt and response leave. */
const historyPart = 0.5;
/** A response on the phone is short; this much is reserved if its length is not limited. */
const usualAnswerTokens = 512;

/**
 * MODEL-12: less than the default for a model whose context window is too small for it together with prompt, tools and response. The prompt
 * is the larger part of the rest of every request; the adapter counts the remainder exactly.
 */
export function budgetWithin({
  contextTokens,
  prompt,
  answerTokens = usualAnswerTokens,
}: {
  /** The token limit for input and output together; undefined if it is not known. */
  readonly contextTokens: number | undefined;
  /** Rendered only where it has to be counted. */
  readonly prompt: () => string;
  readonly answerTokens?: number | undefined;
}): HistoryBudget {
  if (contextTokens === undefined) return defaultHistoryBudget;
  const rest = contextTokens - estimateTokens(prompt()) - Math.min(answerTokens, contextTokens / 4);
  const maxTokens = Math.min(defaultHistoryBudget.maxTokens, Math.max(0, Math.floor(rest * historyPart)));
  return { maxTokens, keepTurns: maxTokens < defaultHistoryBudget.maxTokens / 4 ? 2 : defaultHistoryBudget.keepTurns };
}

export interface HistorySplit {
  readonly summarise: readonly HistoryItem[];
  readonly keep: readonly HistoryItem[];
}

/**
 * Cuts only between turns, so that a tool's result is never separated from its call. Once over budget it cuts down to
 * half, so that a summary is needed every few minutes and not on every turn.
 */
export function splitHistory(
  history: readonly HistoryItem[],
  budget: HistoryBudget = defaultHistoryBudget,
): HistorySplit {
  const costs = history.map(itemTokens);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  if (total <= budget.maxTokens) return { summarise: [], keep: history };
  const turns = turnStarts(history);
  const lastCut = turns.at(-budget.keepTurns) ?? 0;
  let cut = 0;
  let rest = total;
  for (const start of turns) {
    if (start > lastCut) break;
    rest -= costs.slice(cut, start).reduce((sum, cost) => sum + cost, 0);
    cut = start;
    if (rest <= budget.maxTokens / 2) break;
  }
  return { summarise: history.slice(0, cut), keep: history.slice(cut) };
}

export interface SummaryMessage {
  readonly role: "system" | "user";
  readonly content: string;
}

/**
 * Of the newest lines. Without this limit, a very long history that is resumed would be sent to a model as a whole, again after every
 * failure.
 */
const maxSummarisedCharacters = 120_000;

/** The prompt for a model to write a summary; its answer replaces `previous`. */
export function summaryRequest(previous: string | undefined, items: readonly HistoryItem[]): readonly SummaryMessage[] {
  return [
    {
      role: "system",
      content:
        "Summarise this phone conversation for the agent who goes on with it, in at most six short sentences: who the caller is, " +
        "what they want, what was found out and done (with exact numbers and dates), what is still open. Facts only.",
    },
    {
      role: "user",
      content: [previous === undefined ? "" : `Before that: ${previous}`, ...newestLines(items)]
        .filter((line) => line !== "")
        .join("\n"),
    },
  ];
}

/**
 * A summary without a model: what the caller asked for and which tools answered. Bounded; the newest entries are kept.
 */
export function plainSummary(previous: string | undefined, items: readonly HistoryItem[], maxLength = 1200): string {
  const asked = items.filter((item) => item.role === "user").map((item) => item.content);
  const done = items.filter((item) => item.role === "tool").map((item) => item.toolName ?? "a tool");
  const parts = [
    previous ?? "",
    asked.length === 0 ? "" : `The caller said: ${asked.join("; ")}.`,
    done.length === 0 ? "" : `Done: ${[...new Set(done)].join(", ")}.`,
  ];
  const summary = parts.filter((part) => part !== "").join(" ");
  return summary.length <= maxLength ? summary : `…${summary.slice(summary.length - maxLength + 1)}`;
}

/** The message that puts the summary before the remaining history. */
export function summaryNote(summary: string): SummaryMessage {
  return { role: "system", content: `What was said earlier in this call, in short: ${summary}` };
}

function turnStarts(history: readonly HistoryItem[]): readonly number[] {
  return history.flatMap((item, index) => (index === 0 || item.turnId !== history[index - 1]?.turnId ? [index] : []));
}

export function newestLines(items: readonly HistoryItem[]): readonly string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const item of items.toReversed()) {
    const [line] = transcriptLine(item);
    if (line === undefined) continue;
    characters += line.length + 1;
    if (characters > maxSummarisedCharacters) return ["(What was said before is left out.)", ...lines.toReversed()];
    lines.push(line);
  }
  return lines.toReversed();
}

/** Cached, because items are immutable and every turn needs the cost of all of them. */
const known = new WeakMap<HistoryItem, number>();

function itemTokens(item: HistoryItem): number {
  const cost = known.get(item) ?? countTokens(item);
  known.set(item, cost);
  return cost;
}

function countTokens(item: HistoryItem): number {
  const calls = item.toolCalls?.map((call) => `${call.name}${call.argumentsJson}`).join("") ?? "";
  return estimateTokens(`${item.content}${calls}`);
}

function transcriptLine(item: HistoryItem): readonly string[] {
  switch (item.role) {
    case "user":
      return [`Caller: ${item.content}`];
    case "assistant":
      return item.content === "" ? [] : [`${item.agent}: ${item.content}`];
    case "tool":
      return [`(${item.toolName ?? "tool"}: ${item.content})`];
    case "system":
      return [];
    default:
      return item.role satisfies never;
  }
}
