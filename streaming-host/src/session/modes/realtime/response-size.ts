/**
 * Counts what arrives of one response, because nobody else bounds it: a model that repeats itself without end, or faster than anybody
 * can hear it, would fill the host's memory (MODEL-1, MODEL-3).
 */
import { longestAnswer, mostCalls } from "../../../pipeline/cascade/ask-model.ts";
import { VoiceError } from "@voice/shared/platform/errors";
import type { ResponseEnd, ResponseEvent } from "./response-event.ts";

/** What waits to be heard: twice the audio of the most tokens that these models give an answer (4,096), 30 MB at 24 kHz. */
const longestUnheardMs = 10 * 60_000;

export type Excess = "words" | "calls";

const tooManyCalls = `the realtime model made more than ${mostCalls} calls in one response, or of more than ${longestAnswer} characters`;

/** What such a response ends with. Who asks for so many calls means none of them. */
export const endOfTooMuch: Readonly<Record<Excess, Pick<ResponseEnd, "status" | "cut" | "error">>> = {
  words: { status: "incomplete", cut: "length" },
  calls: { status: "failed", error: new VoiceError("upstream_unavailable", tooManyCalls, { reason: tooManyCalls }) },
};

export class ResponseSize {
  #characters = 0;
  #calls = 0;

  /** `unheardMs`: of the reply's audio. Undefined as long as it is no more than an answer may be; otherwise what there is too much of. */
  add(event: ResponseEvent, unheardMs: number): Excess | undefined {
    if (event.type === "agent-text") this.#characters += event.delta.length;
    if (event.type === "tool-call") {
      this.#calls++;
      this.#characters += event.call.argumentsJson.length;
      if (this.#calls > mostCalls || this.#characters > longestAnswer) return "calls";
    }
    return this.#characters > longestAnswer || unheardMs > longestUnheardMs ? "words" : undefined;
  }
}
