/** Counts what a conversation's requests to the language model cost, including those whose response nobody heard. */
import { estimateTokens } from "@voice/shared/conversation/estimate-tokens";
import type { Quantities } from "@voice/shared/costs/usage";
import type { LanguageModel, ModelEvent, ModelRequest, ModelUsage } from "@voice/provider-kit/ports/language-model";
import type { UsageMeter } from "./usage-meter.ts";

export function meteredLanguageModel(model: LanguageModel, usualName: string, meter: UsageMeter): LanguageModel {
  return {
    ...model,
    stream: (request, signal) => metered(model.stream(request, signal), { request, signal, usualName, meter }),
  };
}

interface Metering {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly usualName: string;
  readonly meter: UsageMeter;
}

async function* metered(
  events: AsyncIterable<ModelEvent>,
  { request, signal, usualName, meter }: Metering,
): AsyncGenerator<ModelEvent> {
  let usage: ModelUsage | undefined;
  let written = "";
  let hasFailed = false;
  try {
    for await (const event of events) {
      if (event.type === "text-delta") written += event.text;
      if (event.type === "tool-call") written += event.call.name + event.call.argumentsJson;
      if (event.type === "finished") ({ usage } = event);
      yield event;
    }
  } catch (error) {
    hasFailed = !signal.aborted;
    throw error;
  } finally {
    // A request that failed before its first word is not charged for.
    if (!hasFailed || written !== "")
      meter.add({
        part: "language_model",
        model: usage?.model ?? nonEmpty(request.settings.deploymentId) ?? usualName,
        agent: request.agent.name,
        quantities: usage === undefined ? estimate(request, written) : quantitiesOf(usage),
        isEstimated: usage === undefined,
      });
  }
}

function nonEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** Services report their token counts at the end of a response, so an interrupted response has to be estimated. */
function estimate({ messages, tools }: ModelRequest, written: string): Quantities {
  const read = messages.map(({ content }) => content).join("\n") + JSON.stringify(tools);
  return { input_tokens: estimateTokens(read), output_tokens: estimateTokens(written) };
}

export function quantitiesOf(usage: ModelUsage): Quantities {
  const counted = {
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedTokens,
    audio_input_tokens: usage.audioInputTokens,
    cached_audio_tokens: usage.cachedAudioTokens,
    output_tokens: usage.outputTokens,
    audio_output_tokens: usage.audioOutputTokens,
    reasoning_tokens: usage.reasoningTokens,
  };
  return Object.fromEntries(Object.entries(counted).filter(([, tokens]) => tokens !== undefined && tokens > 0));
}
