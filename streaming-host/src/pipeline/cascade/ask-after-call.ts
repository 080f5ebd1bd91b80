/** Asks a model what came of a conversation that is over, as structured output. */
import type { Agent } from "@voice/shared/catalog/agent";
import { afterCallMessages, afterCallSchema, readAfterCall } from "@voice/shared/conversation/after-call";
import type { Noted } from "@voice/shared/conversation/after-call";
import type { AfterCall } from "@voice/shared/contracts/agents/after-call-document";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";

export interface AfterCallQuestion {
  readonly named: AfterCall;
  /** Whose model is asked, and in whose language the summary is written. */
  readonly agent: Agent;
  readonly history: readonly HistoryItem[];
}

/** Enough for a summary and 64 short values, and for a model that thinks first. */
const maxTokens = 4000;
/** For servers that ignore the limit. */
const longestAnswer = 60_000;
/** Nobody waits for it. It has to be over before another host may try. */
const timeLimitMs = 40_000;

/** Rejects with `upstream_unavailable` where the model has not answered with what was asked for. */
export async function askAfterCall(
  { named, agent, history }: AfterCallQuestion,
  { model, clock, signal }: { readonly model: LanguageModel; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Noted> {
  const tooLate = new AbortController();
  const cancelTimer = clock.setTimer(timeLimitMs, () =>
    tooLate.abort(new VoiceError("upstream_timeout", "noting what came of a conversation took too long")),
  );
  const request = {
    agent,
    messages: afterCallMessages(history, agent.speech.language),
    tools: [],
    answer: { name: "after_call", schema: afterCallSchema(named) },
    settings: { deploymentId: agent.model.cascade.deploymentId, temperature: 0, maxTokens },
    memory: {},
  };
  let text = "";
  try {
    for await (const event of model.stream(request, AbortSignal.any([signal, tooLate.signal]))) {
      if (event.type === "text-delta") text += event.text;
      if (text.length > longestAnswer) break;
    }
  } finally {
    cancelTimer();
  }
  const noted = readAfterCall(text, named);
  if (noted === undefined) throw new VoiceError("upstream_unavailable", "the model did not note what was asked for");
  return noted;
}
