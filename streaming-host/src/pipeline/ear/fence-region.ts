/** A fenced block: a tool call, text that only looks like code, or code, which is not spoken. */
import { answerIn } from "./call-region.ts";
import { nothing } from "./region.ts";
import type { Answer, Region, Step } from "./region.ts";
import { readWrittenCalls } from "./written-calls.ts";

/** Labels of fenced blocks that may contain plain text. */
const proseLabels = new Set(["", "text", "txt", "plain", "plaintext", "markdown", "md"]);
const looksLikeCode = /[{};=<>]|\w\(|^\s*(?:#|\/\/|\$ |import |def |function |SELECT )/m;

export class FenceRegion implements Region {
  readonly #answer: Answer;
  readonly #fence: string;
  readonly #captured: string[] = [];

  constructor(answer: Answer, fence: string) {
    this.#answer = answer;
    this.#fence = fence;
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const found = text.indexOf(this.#fence, at);
    if (found !== -1) {
      this.#captured.push(text.slice(at, found));
      return { end: found + this.#fence.length, text: this.end(false) };
    }
    // The remaining characters may be the beginning of the closing fence.
    const end = isWhole ? text.length : text.length - this.#fence.length + 1;
    if (end <= at) return undefined;
    this.#captured.push(text.slice(at, end));
    return nothing(end);
  }

  end(isCut: boolean): string {
    const answer = this.#answer;
    const written = this.#captured.join("");
    const line = written.indexOf("\n");
    const body = written.slice(line + 1);
    const calls = isCut ? [] : readWrittenCalls(body, answer.tools);
    answer.calls.push(...calls);
    answer.enterSpeech();
    if (calls.length > 0) return "";
    const label = written.slice(0, Math.max(0, line)).trim().toLowerCase();
    const answered = label === "json" ? answerIn(body) : undefined;
    if (answered !== undefined) return answered;
    if (proseLabels.has(label) && !looksLikeCode.test(body)) return body;
    answer.note({ what: "code", notation: "fence" });
    answer.pause();
    return "";
  }
}
