/**
 * Reads the answer to a chat request, streamed or whole, in each of the forms in which servers send it: server-sent events with any line
 * ends, comments, events named `error`, an error object in mid-stream, one JSON document for a stream that was asked for, and the
 * other way round. The vendor's client would not say whether a stream had its end mark.
 */
import { explainedError } from "@voice/shared/platform/errors";
import { APIError } from "openai";

export const endMark = Symbol("the server has ended its stream");

/** Yields parsed JSON, and `endMark` after `[DONE]` or a whole document. Throws an `APIError` where the server reports one. */
export async function* readCompletionEvents(response: Response): AsyncGenerator<unknown, void, undefined> {
  if (response.body === null) return;
  const lines = new EventLines();
  const decoder = new TextDecoder();
  let isDocument: boolean | undefined;
  let document = "";
  for await (const bytes of response.body) {
    const text = decoder.decode(bytes, { stream: true });
    // A content type is believed less than what stands there: proxies lose it.
    isDocument ??= text.trim() === "" ? undefined : text.trimStart().startsWith("{");
    if (isDocument === true) document += text;
    else for (const event of lines.accept(text)) yield* valuesOf(event, response);
  }
  if (isDocument === true) {
    for (const data of documentsIn(document)) yield* valuesOf({ name: "", data }, response);
    yield endMark;
    return;
  }
  for (const event of lines.end()) yield* valuesOf(event, response);
}

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** One document, or one a line; a relay has put `data: [DONE]` after it. */
function documentsIn(text: string): readonly string[] {
  return parseJson(text) === undefined ? text.split("\n").map((line) => line.replace(/^data: ?/, "")) : [text];
}

function* valuesOf(event: ServerEvent, response: Response): Generator {
  if (event.data.trim() === "") return;
  // Servers have events of their own between those of the answer, such as the progress of a tool.
  if (!usualNames.has(event.name) && !hasChoices(parseJson(event.data))) return;
  yield event.data.trimStart().startsWith("[DONE]") ? endMark : valueOf(event, response);
}

const usualNames = new Set(["", "message", "error"]);

function hasChoices(value: unknown): boolean {
  return isRecord(value) && "choices" in value;
}

function valueOf({ name, data }: ServerEvent, { headers }: Response): unknown {
  const value = parseJson(data);
  const error = isRecord(value) ? (value["error"] ?? undefined) : undefined;
  if (error === undefined && name !== "error") {
    if (value === undefined)
      throw explainedError("upstream_unavailable", "the language model's server sent something that is not JSON");
    return value;
  }
  const said = error ?? value ?? data;
  throw new APIError(undefined, isRecord(said) ? said : { message: JSON.stringify(said) }, undefined, headers);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Server-sent events, without what a browser does with them: https://html.spec.whatwg.org/multipage/server-sent-events.html */
class EventLines {
  #rest = "";
  #name = "";
  #data: string[] = [];

  *accept(text: string): Generator<ServerEvent> {
    // A line may end with CR LF of which only CR has come.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) yield* this.#take(line);
  }

  /** Servers forget the empty line after the last event. */
  *end(): Generator<ServerEvent> {
    yield* this.#take(this.#rest.replace(/\r$/, ""));
    yield* this.#take("");
  }

  *#take(line: string): Generator<ServerEvent> {
    if (line === "") {
      if (this.#data.length > 0) yield { name: this.#name, data: this.#data.join("\n") };
      this.#name = "";
      this.#data = [];
      return;
    }
    const [field = ""] = line.split(":", 1);
    const value = line.slice(field.length + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
  }
}
