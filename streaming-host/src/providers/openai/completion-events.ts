/**
 * Reads the response to a chat request, streamed or whole, in each of the forms in which servers send it: server-sent events with any line
 * ends, comments, events named `error`, an error object in mid-stream, one JSON document although a stream was requested, and vice versa.
 * The vendor's client would not report whether a stream had its end mark.
 */
import { explainedError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import { APIError } from "openai";
import { isPlainObject } from "@voice/shared/platform/plain-object";
import { isWebPage } from "../web-page.ts";

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
    // The beginning of the body decides, not the content type, which proxies lose.
    isDocument ??= text.trim() === "" ? undefined : beginsDocument(text);
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

/** Throws for a web page, which a proxy or a wrong address answers with 200: it would be taken for a stream without an end. */
function beginsDocument(text: string): boolean {
  if (isWebPage(text)) {
    const why = "its address is wrong, or something in between asks for a sign-in";
    throw explainedError("upstream_unavailable", `the language model's endpoint answered with a web page: ${why}`);
  }
  return /^\s*[{[]/.test(text);
}

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** One document, a list of them, or one a line; one relay has put `data: [DONE]` after it. */
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
    // Servers send events of their own between those of the response, such as the progress of a tool.
    if (!usualNames.has(name) && !hasChoices(value)) continue;
    const read = valueOf({ name, value, text }, response);
    if (read !== undefined) yield read;
  }
}

/**
 * The chunk in the text, or several that a relay has concatenated. Text that is not JSON is a keep-alive (`data: ping`) rather than a
 * chunk, and no reason to discard the response, unless there is nothing else: then the response has no end.
 */
function jsonIn(text: string): readonly unknown[] {
  const value = parseJson(text);
  if (value !== undefined) return [value];
  const parts = text.split(/(?<=\})\s*(?:data:\s*)?(?=\{)/).map(parseJson);
  return parts.length > 1 && !parts.includes(undefined) ? parts : [undefined];
}

const usualNames = new Set(["", "message", "error"]);

function hasChoices(value: unknown): boolean {
  return isPlainObject(value) && "choices" in value;
}

interface ReadValue {
  readonly name: string;
  /** Undefined: not JSON. */
  readonly value: unknown;
  readonly text: string;
}

function valueOf({ name, value, text }: ReadValue, { headers }: Response): unknown {
  const error = errorIn(value) ?? (name === "error" ? (value ?? text) : undefined);
  if (error === undefined && value === undefined && isPage(text))
    throw explainedError("upstream_unavailable", "the language model's server sent something that is not JSON");
  if (error === undefined) return value;
  throw new APIError(undefined, isPlainObject(error) ? error : { message: JSON.stringify(error) }, undefined, headers);
}

/**
 * `error`, which some servers send empty with each chunk; or, if there is no response at all, vLLM's `{"object": "error", …}`, FastAPI's
 * `detail`, and others' `message` with a code.
 */
function errorIn(value: unknown): unknown {
  if (!isPlainObject(value)) return undefined;
  const { error } = value;
  const isEmpty =
    error == null || error === "" || error === false || (isPlainObject(error) && Object.keys(error).length === 0);
  if (!isEmpty) return error;
  if ("choices" in value) return undefined;
  const { object, detail, message, code } = value;
  // Some servers send a code although there is no error.
  const isCoded = typeof message === "string" && code != null && code !== 0 && code !== 200;
  return object === "error" || detail !== undefined || isCoded ? value : undefined;
}

/** An HTML page, or a sentence that names an error. */
function isPage(text: string): boolean {
  return /^<(?:!doctype|html)|^error\b/i.test(text);
}

/** Server-sent events, without what a browser does with them: https://html.spec.whatwg.org/multipage/server-sent-events.html */
class EventLines {
  #rest = "";
  #name = "";
  #data: string[] = [];

  *accept(text: string): Generator<ServerEvent> {
    // A chunk may end between CR and LF.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) yield* this.#take(line);
  }

  /** Servers omit the empty line after the last event. */
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
    // A relay that takes each line for data puts its own `data:` before the existing one.
    const value = line.slice(before.length + 1).replace(/^(?: *data:)* ?/, "");
    if (field === "event") this.#name = value;
    if (field !== "data") return;
    // Servers also omit the empty line between events. If the lines so far are complete JSON, this one begins another event.
    if (this.#data.length > 0 && parseJson(this.#data.join("\n")) !== undefined) yield* this.#take("");
    this.#data.push(value);
  }
}
