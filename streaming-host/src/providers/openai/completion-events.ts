/**
 * Reads the answer to a chat request, streamed or whole, in each of the forms in which servers send it: server-sent events with any line
 * ends, comments, events named `error`, an error object in mid-stream, one JSON document for a stream that was asked for, and the
 * other way round. The vendor's client would not say whether a stream had its end mark.
 */
import { explainedError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
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
    // What the body begins with decides, and not the content type, which proxies lose.
    isDocument ??= text.trim() === "" ? undefined : /^\s*[{[]/.test(text);
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

/** One document, a list of them, or one a line; a relay has put `data: [DONE]` after it. */
function documentsIn(text: string): readonly string[] {
  const value = parseJson(text);
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(each));
  return value === undefined ? text.split("\n").map((line) => line.replace(/^data: ?/, "")) : [text];
}

function* valuesOf({ name, data }: ServerEvent, response: Response): Generator {
  const text = data.trim();
  if (text === "") return;
  if (/^"?\[done\]/i.test(text)) {
    yield endMark;
    return;
  }
  for (const value of jsonIn(text)) {
    // Servers have events of their own between those of the answer, such as the progress of a tool.
    if (!usualNames.has(name) && !hasChoices(value)) continue;
    const read = valueOf({ name, value, text }, response);
    if (read !== undefined) yield read;
  }
}

/**
 * The chunk in it, or several that a relay has put behind each other. What is no JSON at all is no chunk but a sign of life
 * (`data: ping`), and no reason to throw the answer away, unless all of it is like that: then it has no end.
 */
function jsonIn(text: string): readonly unknown[] {
  const value = parseJson(text);
  if (value !== undefined) return [value];
  const parts = text.split(/(?<=\})\s*(?:data:\s*)?(?=\{)/).map(parseJson);
  return parts.length > 1 && !parts.includes(undefined) ? parts : [undefined];
}

const usualNames = new Set(["", "message", "error"]);

function hasChoices(value: unknown): boolean {
  return isRecord(value) && "choices" in value;
}

interface ReadValue {
  readonly name: string;
  /** Undefined: no JSON. */
  readonly value: unknown;
  readonly text: string;
}

function valueOf({ name, value, text }: ReadValue, { headers }: Response): unknown {
  const error = errorIn(value) ?? (name === "error" ? (value ?? text) : undefined);
  if (error === undefined && value === undefined && isPage(text))
    throw explainedError("upstream_unavailable", "the language model's server sent something that is not JSON");
  if (error === undefined) return value;
  throw new APIError(undefined, isRecord(error) ? error : { message: JSON.stringify(error) }, undefined, headers);
}

/**
 * `error`, which some send empty with each chunk; or, where there is no answer at all, vLLM's `{"object": "error", …}`, FastAPI's
 * `detail`, and others' `message` with a code.
 */
function errorIn(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { error } = value;
  const isEmpty =
    error == null || error === "" || error === false || (isRecord(error) && Object.keys(error).length === 0);
  if (!isEmpty) return error;
  if ("choices" in value) return undefined;
  const { object, detail, message, code } = value;
  // Some give a code where all is well.
  const isCoded = typeof message === "string" && code != null && code !== 0 && code !== 200;
  return object === "error" || detail !== undefined || isCoded ? value : undefined;
}

/** A page, or a sentence that names an error. */
function isPage(text: string): boolean {
  return /^<(?:!doctype|html)|^error\b/i.test(text);
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
    const [before = ""] = line.split(":", 1);
    const field = before.trim();
    // A relay that takes each line for data puts its own `data:` before the other's.
    const value = line.slice(before.length + 1).replace(/^(?: *data:)* ?/, "");
    if (field === "event") this.#name = value;
    if (field !== "data") return;
    // Servers forget the empty line between events, too. If the lines so far are JSON, this one begins another event.
    if (this.#data.length > 0 && parseJson(this.#data.join("\n")) !== undefined) yield* this.#take("");
    this.#data.push(value);
  }
}
