/** A tool call that a model has written into its text, up to its end mark or its last bracket. */
import { Nesting } from "./brackets.ts";
import type { Mark } from "./mark.ts";
import { readLiteral } from "./loose-json.ts";
import { nothing } from "./region.ts";
import type { Answer, NewCall, Region, Step } from "./region.ts";
import { readWrittenCalls } from "./written-calls.ts";

/** Characters that may stand between, or after, the arguments of one call and the next mark or call. */
const continues = /[\s<[{,;`◁\]})]/;
/** Names of marks within an XML call, where brackets and quotes are plain text. */
const xml = /^(?:parameter|param|argument|arg|invoke|function)\b|^\w+ (?:parameter|invoke)\b/;

export class CallRegion implements Region {
  readonly #answer: Answer;
  readonly #call: NewCall;
  readonly #nesting: Nesting;
  readonly #captured: string[];
  #isXml = false;
  #isComplete = false;

  constructor(answer: Answer, call: NewCall) {
    this.#answer = answer;
    this.#call = call;
    this.#captured = [call.written ?? ""];
    // Python uses both quotes, and models write JSON with Python's quotes. Elsewhere "'" is an apostrophe.
    this.#nesting = new Nesting(/^(?:json|python|name)$/.test(call.notation) ? `"'` : '"');
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const { opener } = this.#call;
    let end = at;
    for (; end < text.length; end++) {
      const character = text.charAt(end);
      const isOutside = this.#nesting.depth === 0;
      if (this.#isComplete && isOutside && opener !== undefined && !continues.test(character))
        return this.#leave(text, at, end, end);
      const mark = this.#markAt(text, end, isWhole);
      if (mark === "unfinished") break;
      if (mark !== undefined) {
        if (closes(mark, opener))
          return this.#leave(text, at, end, end + (mark.meaning === "header" ? 0 : mark.length));
        this.#isXml ||= opener !== undefined && character === "<" && mark.edge !== "close" && xml.test(mark.name);
        end += mark.length - 1;
      } else if (!this.#isXml && this.#nesting.accept(character)) {
        this.#isComplete = true;
        if (opener === undefined) return this.#leave(text, at, end + 1, end + 1);
      }
    }
    if (end === at) return undefined;
    this.#captured.push(text.slice(at, end));
    return nothing(end);
  }

  /** If the JSON of the call is broken, the text after its end mark is spoken. So is text that follows a mark but is no call. */
  end(isCut: boolean): string {
    const written = this.#captured.join("");
    const known = this.#answer.calls.length;
    const said = this.#finish(isCut && !this.#isComplete);
    const isWithheld = this.#isComplete || isCut || this.#answer.isInner || this.#call.notation === "label";
    if (this.#answer.calls.length > known || isWithheld) return said;
    const last = written.lastIndexOf("</");
    const mark = last === -1 ? undefined : this.#answer.markAt(written, last, true);
    const isClosed = mark !== undefined && mark !== "unfinished" && closes(mark, this.#call.opener);
    const rest = isClosed ? written.slice(last + mark.length) : written.slice(this.#call.opener?.length ?? 0);
    const isWords = isClosed || (!/[<>{}[\]()]/.test(rest) && rest.trim().split(/\s+/).length >= 4);
    return isWords ? said + this.#answer.readAgain(rest) : said;
  }

  #markAt(text: string, at: number, isWhole: boolean): Mark | "unfinished" | undefined {
    const character = text.charAt(at);
    const mayBe = character === "<" || (character === "[" && this.#call.opener !== undefined);
    if (!mayBe || this.#nesting.depth > 0) return undefined;
    return this.#answer.markAt(text, at, isWhole);
  }

  #leave(text: string, from: number, to: number, end: number): Step {
    this.#captured.push(text.slice(from, to));
    return { end, text: this.#finish(false) };
  }

  #finish(isCut: boolean): string {
    const answer = this.#answer;
    const { notation, tool } = this.#call;
    const written = this.#captured.join("");
    // A description of a call that was already made is not a call.
    const calls = isCut || notation === "remark" ? [] : readWrittenCalls(written, answer.tools, tool);
    answer.calls.push(...calls);
    answer.enterSpeech();
    const answered = calls.length === 0 && notation === "json" ? answerIn(written) : undefined;
    if (answered !== undefined) return answered;
    if (calls.length === 0) {
      const named = [...answer.toolNames].find((name) => name === tool || written.includes(name));
      answer.note({ what: "call", notation, tool: named });
    }
    answer.pause();
    return "";
  }
}

/** A model that was instructed to write JSON gives its response in it. */
export function answerIn(written: string): string | undefined {
  const read = readLiteral(written);
  const found: unknown = Array.isArray(read) && read.length === 1 ? read[0] : read;
  if (typeof found !== "object" || found === null) return undefined;
  const answers = Object.entries(found).filter(([key]) =>
    /^(?:answer|response|reply|text|message|content|speech|say)$/i.test(key),
  );
  return answers.map(([, value]) => value).find((value) => typeof value === "string");
}

function closes(mark: Mark, opener: Mark | undefined): boolean {
  if (opener === undefined) return false;
  if (mark.meaning === "message-end" || mark.meaning === "header") return true;
  return mark.edge === "close" && mark.name === opener.name;
}
