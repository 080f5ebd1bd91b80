/** A model that gives the test's scripted answers, and fails the test if it is asked more often. */
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";

export type ScriptedAnswer =
  | string
  | { readonly text?: string; readonly calls: readonly { readonly name: string; readonly args?: unknown }[] }
  | { readonly text: string; readonly awaits: AwaitedAnswer }
  | { readonly text: string; readonly end: "length" | "content-filter" }
  /** Delays the answer. */
  | { readonly text: string; readonly after: Promise<unknown> }
  | Error
  /** Stays silent until the request is aborted. */
  | { readonly hangs: true };

export class ScriptedModel implements LanguageModel {
  readonly requests: ModelRequest[] = [];
  readonly answers: ScriptedAnswer[];
  aborts = 0;

  constructor(...answers: ScriptedAnswer[]) {
    this.answers = answers;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    this.requests.push(request);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error("the model was asked once more than the test expects");
    signal.addEventListener("abort", () => this.aborts++, { once: true });
    if (answer instanceof Error) throw answer;
    const { text, calls, awaits, end } = await spoken(answer, signal);
    for (const word of text.match(/\S+\s*/g) ?? []) {
      signal.throwIfAborted();
      yield { type: "text-delta", text: word };
    }
    for (const [index, call] of calls.entries())
      yield {
        type: "tool-call",
        call: {
          id: `call-${this.requests.length}-${index}`,
          name: call.name,
          argumentsJson: JSON.stringify(call.args ?? {}),
        },
      };
    const usage = { inputTokens: 10, outputTokens: 5 };
    yield { type: "finished", reason: end ?? (calls.length === 0 ? "stop" : "tool-calls"), usage, awaits };
  }
}

async function spoken(
  answer: Exclude<ScriptedAnswer, Error>,
  signal: AbortSignal,
): Promise<{
  text: string;
  calls: readonly { readonly name: string; readonly args?: unknown }[];
  awaits?: AwaitedAnswer;
  end?: "length" | "content-filter";
}> {
  if (typeof answer === "string") return { text: answer, calls: [] };
  if ("after" in answer) await answer.after;
  if (!("hangs" in answer)) return { text: "", calls: [], ...answer };
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
