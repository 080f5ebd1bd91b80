/** Makes one request to the model and collects its text, tool calls and finish reason. */
import type { LanguageModel, ModelEvent, ModelToolCall, ModelUsage } from "@voice/provider-kit/ports/language-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly end: Extract<ModelEvent, { type: "finished" }>["reason"];
  readonly awaits: AwaitedAnswer | undefined;
}

export interface ModelAnswerOutput {
  onFirstToken(): void;
  onText(delta: string): void;
  onUsage(usage: ModelUsage): void;
}

export async function askModel(
  model: LanguageModel,
  request: Parameters<LanguageModel["stream"]>[0],
  output: ModelAnswerOutput,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  let text = "";
  let end: ModelAnswer["end"] = "stop";
  let awaits: AwaitedAnswer | undefined;
  let started = false;
  const calls: ModelToolCall[] = [];
  for await (const event of model.stream(request, signal)) {
    signal.throwIfAborted();
    if (!started) {
      started = true;
      output.onFirstToken();
    }
    if (event.type === "text-delta") {
      text += event.text;
      output.onText(event.text);
    } else if (event.type === "tool-call") calls.push(event.call);
    else {
      ({ awaits, reason: end } = event);
      if (event.usage !== undefined) output.onUsage(event.usage);
    }
  }
  signal.throwIfAborted();
  return { text, calls, end, awaits };
}
