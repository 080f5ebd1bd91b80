/** Asks a model for one text that nobody hears. */
import type { LanguageModel, ModelRequest, ModelUsage } from "@voice/provider-kit/ports/language-model";
import type { Agent } from "@voice/shared/catalog/agent";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { endedInTime } from "@voice/shared/platform/within-time";

interface TextQuestion extends Pick<ModelRequest, "messages" | "answer"> {
  /** Whose model is asked. */
  readonly agent: Agent;
  readonly maxTokens: number;
  /** Several times the number of characters in so many tokens, for servers that ignore the token limit. */
  readonly mostCharacters: number;
  readonly limitMs: number;
  /** What the error says after that. */
  readonly late: string;
}

export function askForText(
  model: LanguageModel,
  { agent, maxTokens, mostCharacters, limitMs, late, ...question }: TextQuestion,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly usage: ModelUsage | undefined }> {
  const { deploymentId } = agent.model.cascade;
  const settings = { deploymentId, temperature: 0, maxTokens };
  const write = async (inTime: AbortSignal) => {
    let text = "";
    let usage: ModelUsage | undefined;
    for await (const event of model.stream({ ...question, agent, tools: [], settings, memory: {} }, inTime)) {
      if (event.type === "text-delta") text += event.text;
      else if (event.type === "finished") ({ usage } = event);
      if (text.length > mostCharacters) break;
    }
    return { text, usage };
  };
  return endedInTime(clock, limitMs, signal, write, () => new VoiceError("upstream_timeout", late));
}
