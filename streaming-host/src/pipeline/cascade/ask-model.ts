/** Makes one request to the model and collects its text, tool calls and finish reason. */
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { LanguageModel, ModelEvent, ModelRequest, ModelUsage } from "@voice/provider-kit/ports/language-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { explainedError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly end: FinishedAnswer["reason"];
  readonly awaits: AwaitedAnswer | undefined;
}

export type FinishedAnswer = Extract<ModelEvent, { type: "finished" }>;

/** Callbacks for one request. Exactly one of ended, failed and cancelled is called, as the last. */
export interface RequestObserver {
  onFirstEvent(): void;
  onFinished(event: FinishedAnswer): void;
  onEnded(): void;
  onFailed(error: unknown): void;
  /** The request was cancelled together with its reply. */
  onCancelled(): void;
}

export interface ModelAnswerOutput {
  /** If absent, or if it returns undefined, the request is not timed. */
  onRequest?(request: ModelRequest): RequestObserver | undefined;
  onFirstToken(): void;
  onText(delta: string): void;
  onUsage(usage: ModelUsage): void;
}

/**
 * Characters of one response, including the arguments of its calls. This exceeds the 16,384 tokens that an agent may request. A model that
 * repeats itself behind a server without a limit would otherwise fill the host's memory, much faster than the text can be spoken.
 */
export const longestAnswer = 100_000;
/** Calls in one response: OpenAI's models accept the same number of tools in one request. */
export const mostCalls = 128;

export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  output: ModelAnswerOutput,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const asked = output.onRequest?.(request);
  try {
    const answer = await readAnswer(model.stream(request, signal), { output, asked }, signal);
    asked?.onEnded();
    return answer;
  } catch (error) {
    if (signal.aborted) asked?.onCancelled();
    else asked?.onFailed(error);
    throw error;
  }
}

async function readAnswer(
  events: AsyncIterable<ModelEvent>,
  { output, asked }: { readonly output: ModelAnswerOutput; readonly asked: RequestObserver | undefined },
  signal: AbortSignal,
): Promise<ModelAnswer> {
  let text = "";
  let end: ModelAnswer["end"] = "stop";
  let awaits: AwaitedAnswer | undefined;
  let started = false;
  let length = 0;
  const calls: ToolCall[] = [];
  for await (const event of events) {
    signal.throwIfAborted();
    if (!started) {
      started = true;
      asked?.onFirstEvent();
      output.onFirstToken();
    }
    if (event.type === "text-delta") {
      text += event.text;
      output.onText(event.text);
      length += event.text.length;
      if (length > longestAnswer) {
        end = "length";
        break;
      }
    } else if (event.type === "tool-call") {
      calls.push(event.call);
      length += event.call.argumentsJson.length;
      if (calls.length > mostCalls || length > longestAnswer) throw senseless();
    } else {
      asked?.onFinished(event);
      ({ awaits, reason: end } = event);
      if (event.usage !== undefined) output.onUsage(event.usage);
    }
  }
  signal.throwIfAborted();
  return { text, calls, end, awaits };
}

/** None of the calls is carried out: a model that requests so many is not working sensibly. */
function senseless(): VoiceError {
  return explainedError(
    "upstream_unavailable",
    `the language model made more than ${mostCalls} calls in one answer, or of more than ${longestAnswer} characters`,
    { retryable: false },
  );
}
