/**
 * What models were sent in a conversation, for operators to read: prompt, messages, tools, and what became of it (TIMELINE-4). A message that
 * the previous request had is stored as its position there, because each request repeats nearly all of the one before it.
 */
import type { ModelMessage, ModelTool, ModelUsage } from "@voice/provider-kit/ports/language-model";

/** As messages of a request are shown; a realtime model's instructions are a `system` message. */
export type SentMessage = ModelMessage | { readonly role: string; readonly content: string };

export interface SentRequest {
  readonly atMs: number;
  readonly kind: "language_model" | "realtime_model";
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly messages: readonly SentMessage[];
  readonly tools: readonly ModelTool[];
  readonly outcome: "completed" | "failed" | "cancelled" | "sent";
  /** Milliseconds from the sending of the request to its first event. */
  readonly firstEventMs?: number | undefined;
  readonly tookMs?: number | undefined;
  readonly finishReason?: string | undefined;
  readonly usage?: ModelUsage | undefined;
}

/** Every so many requests one is stored whole, so that the oldest may be dropped. */
const wholeEvery = 16;
/** The most that is stored of one request as JSON: longer than any prompt that people write. */
const maxCharacters = 200_000;

/** Encodes each request relative to the one before it. */
export class RequestEncoder {
  #before: ReadonlyMap<string, number> = new Map();
  #toolsBefore = "";
  #count = 0;

  encode({ messages, tools, ...request }: SentRequest): string {
    const isWhole = this.#count % wholeEvery === 0;
    this.#count += 1;
    const texts = messages.map((message) => JSON.stringify(message));
    const toolsText = JSON.stringify(tools);
    const shown = texts.map((text) => (isWhole ? undefined : this.#before.get(text))?.toString() ?? text);
    const shownTools = !isWhole && toolsText === this.#toolsBefore ? "null" : toolsText;
    this.#before = new Map(texts.map((text, index) => [text, index]));
    this.#toolsBefore = toolsText;
    const rest = JSON.stringify({ ...request, isWhole });
    const text = `${rest.slice(0, -1)},"messages":[${shown.join(",")}],"tools":${shownTools}}`;
    if (text.length <= maxCharacters) return text;
    this.#count = 0; // what comes next cannot refer to it
    return JSON.stringify({ ...request, isWhole: true, isTooLong: true, messages: [], tools: [] });
  }
}
