/** Asks a model to summarise older history in the background. */
import type { Agent } from "@voice/shared/catalog/agent";
import { summaryRequest } from "@voice/shared/conversation/history-budget";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { LanguageModel, ModelUsage } from "@voice/provider-kit/ports/language-model";

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
const maxTokens = 300;
/** Several times the number of characters in so many tokens, for servers that ignore the token limit. */
const longestSummary = 6_000;
/** Much longer than a summary takes, and much shorter than the time until the next one is due. */
const timeLimitMs = 30_000;

export function createSummaryWriter(model: LanguageModel, clock: Clock): WriteSummary {
  return async ({ agent, previous, items }, signal) => {
    const tooLate = new AbortController();
    const cancelTimer = clock.setTimer(timeLimitMs, () =>
      tooLate.abort(new VoiceError("upstream_timeout", "the summary of a conversation took too long")),
    );
    const request = {
      agent,
      messages: summaryRequest(previous, items),
      tools: [],
      settings: { deploymentId: agent.model.cascade.deploymentId, temperature: 0, maxTokens },
      memory: {},
    };
    let text = "";
    let usage: ModelUsage | undefined;
    try {
      for await (const event of model.stream(request, AbortSignal.any([signal, tooLate.signal]))) {
        if (event.type === "text-delta") text += event.text;
        else if (event.type === "finished") ({ usage } = event);
        if (text.length > longestSummary) break;
      }
    } finally {
      cancelTimer();
    }
    if (text.trim() === "") throw new VoiceError("upstream_unavailable", "the language model wrote no summary");
    return { text: text.trim(), usage };
  };
}
