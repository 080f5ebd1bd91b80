/** Asks a model what came of a conversation that is over, as structured output. */
import type { Agent } from "@voice/shared/catalog/agent";
import { afterCallMessages, afterCallSchema, readAfterCall } from "@voice/shared/conversation/after-call";
import type { Noted } from "@voice/shared/conversation/after-call";
import type { AfterCall } from "@voice/shared/contracts/agents/after-call-document";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import { askForText } from "./ask-for-text.ts";

export interface AfterCallQuestion {
  readonly named: AfterCall;
  /** Whose model is asked, and in whose language the summary is written. */
  readonly agent: Agent;
  readonly history: readonly HistoryItem[];
}

/** The limits of the answer: enough for a summary and 64 short values, and for a model that thinks first. */
const limits = {
  maxTokens: 4000,
  mostCharacters: 60_000,
  late: "noting what came of a conversation took too long",
};
/** Nobody waits for it. It has to be over before another host may try. */
const limitMs = 40_000;

/** Rejects with `upstream_unavailable` where the model has not answered with what was asked for. */
export async function askAfterCall(
  { named, agent, history }: AfterCallQuestion,
  { model, clock, signal }: { readonly model: LanguageModel; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Noted> {
  const messages = afterCallMessages(history, agent.speech.language);
  const answer = { name: "after_call", schema: afterCallSchema(named) };
  const { text } = await askForText(model, { agent, messages, answer, ...limits, limitMs }, clock, signal);
  const noted = readAfterCall(text, named);
  if (noted === undefined) throw new VoiceError("upstream_unavailable", "the model did not note what was asked for");
  return noted;
}
