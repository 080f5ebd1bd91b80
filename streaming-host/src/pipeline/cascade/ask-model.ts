/** Makes one request to the model and collects its text, tool calls and finish reason. */
import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
} from "@voice/provider-kit/ports/language-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { explainedError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelToolCall[];
  readonly end: FinishedAnswer["reason"];
  readonly awaits: AwaitedAnswer | undefined;
}

export type FinishedAnswer = Extract<ModelEvent, { type: "finished" }>;

/** What becomes of one request. Ended, failed or cancelled is the last. */
export interface AskedModel {
  onFirstEvent(): void;
  onFinished(event: FinishedAnswer): void;
  onEnded(): void;
  onFailed(error: unknown): void;
  /** With its reply. */
  onCancelled(): void;
}

export interface ModelAnswerOutput {
  /** Absent, or undefined for a request that nobody times. */
  onAsked?(request: ModelRequest): AskedModel | undefined;
  onFirstToken(): void;
  onText(delta: string): void;
  onUsage(usage: ModelUsage): void;
}

/**
 * Characters of one answer, arguments of its calls included. More than the most tokens that an agent may ask for (16,384) have; a
 * model that repeats itself behind a server without a limit would fill the host's memory, faster than anybody can hear it.
 */
export const longestAnswer = 100_000;
/** Calls in one answer. A request may offer as many tools to OpenAI's models. */
export const mostCalls = 128;

export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  output: ModelAnswerOutput,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const asked = output.onAsked?.(request);
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
  { output, asked }: { readonly output: ModelAnswerOutput; readonly asked: AskedModel | undefined },
  signal: AbortSignal,
): Promise<ModelAnswer> {
  let text = "";
  let end: ModelAnswer["end"] = "stop";
  let awaits: AwaitedAnswer | undefined;
  let started = false;
  let length = 0;
  const calls: ModelToolCall[] = [];
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

/** None of the calls is carried out: who asks for so many means none of them. */
function senseless(): VoiceError {
  return explainedError(
    "upstream_unavailable",
    `the language model made more than ${mostCalls} calls in one answer, or of more than ${longestAnswer} characters`,
    { retryable: false },
  );
}
