/** Asks a model to summarise older history in the background. */
import type { Agent } from "@voice/shared/catalog/agent";
import { summaryRequest } from "@voice/shared/conversation/history-budget";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { LanguageModel, ModelUsage } from "@voice/provider-kit/ports/language-model";
import { askForText } from "./ask-for-text.ts";

export interface SummaryTask {
  readonly agent: Agent;
  readonly previous: string | undefined;
  readonly items: readonly HistoryItem[];
}

export interface WrittenSummary {
  readonly text: string;
  readonly usage: ModelUsage | undefined;
}

export type WriteSummary = (task: SummaryTask, signal: AbortSignal) => Promise<WrittenSummary>;

/** Enough for six short sentences. A model that writes more is cut off, to limit the cost. */
const limits = { maxTokens: 300, mostCharacters: 6_000, late: "the summary of a conversation took too long" };
/** Much longer than a summary takes, and much shorter than the time until the next one is due. */
const limitMs = 30_000;

export function createSummaryWriter(model: LanguageModel, clock: Clock): WriteSummary {
  return async ({ agent, previous, items }, signal) => {
    const question = { agent, messages: summaryRequest(previous, items), ...limits, limitMs };
    const { text, usage } = await askForText(model, question, clock, signal);
    if (text.trim() === "") throw new VoiceError("upstream_unavailable", "the language model wrote no summary");
    return { text: text.trim(), usage };
  };
}
