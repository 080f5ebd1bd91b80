/**
 * Passes on only the text that the caller is meant to hear (EAR-1), and removes everything else a language model writes: thoughts, tool
 * calls in text, code, and marks of its chat template. Pure; one instance reads one response. Text that cannot become a mark passes at
 * once, and each character is examined a bounded number of times.
 */
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import type { AnswerBeginning } from "./answer-beginnings.ts";
import { CallRegion } from "./call-region.ts";
import { HeaderRegion } from "./header-region.ts";
import { markAt } from "./mark.ts";
import type { Mark } from "./mark.ts";
import { OthersRegion } from "./others-region.ts";
import type { Answer, NewCall, NewThought, Region, Withheld } from "./region.ts";
import { SpeechRegion } from "./speech-region.ts";
import { BeginningRegion, ThoughtRegion } from "./thought-region.ts";
import type { WrittenCall } from "./written-calls.ts";

export interface EarGateOptions {
  readonly tools: readonly ModelTool[];
  /**
   * What the response begins with if no mark says so, because the opening mark of a thought may be in the prompt (EAR-4). Unless it is
   * speech, nothing passes until the thought ends, or until it is known that there is none.
   */
  readonly beginning?: AnswerBeginning["kind"];
}

export class EarGate {
  readonly #answer: ReadAnswer;
  readonly #escaped = new EscapedMarks();
  #held = "";

  constructor(options: EarGateOptions) {
    this.#answer = new ReadAnswer(options);
  }

  /** Calls, written as text, of tools that are offered. */
  get calls(): readonly WrittenCall[] {
    return this.#answer.calls;
  }

  /** What was removed, each kind once. */
  get withheld(): readonly Withheld[] {
    return [...this.#answer.withheld.values()];
  }

  /** Undefined until the response shows whether it began in a thought. */
  get beganInThought(): boolean | undefined {
    return this.#answer.beganInThought;
  }

  get thoughtCharacters(): number {
    return this.#answer.thoughtCharacters;
  }

  /** Nothing passes, because it is not yet known whether the response begins with a thought. */
  get waitsForBeginning(): boolean {
    return this.#answer.region instanceof BeginningRegion;
  }

  /** Returns the part of this piece that is to be spoken. */
  push(piece: string): string {
    this.#held += this.#escaped.push(piece);
    return this.#read(false);
  }

  /** Assumes that the response begins with text to be spoken, and returns the text that was held back. */
  passBeginning(): string {
    const { region } = this.#answer;
    if (!(region instanceof BeginningRegion)) return "";
    this.#held = region.takeWaiting() + this.#held;
    this.#answer.enterSpeech();
    return this.#read(false);
  }

  /** The response has ended; `isCut`: at the model's limit. Returns the remaining text to be spoken. */
  end(isCut = false): string {
    this.#held += this.#escaped.end();
    const text = this.#read(true) + this.#answer.region.end(isCut);
    if (this.#answer.hasWords) this.#answer.beganInThought ??= false;
    return text;
  }

  #read(isWhole: boolean): string {
    const answer = this.#answer;
    const text = this.#held;
    let spoken = "";
    let at = 0;
    while (at < text.length) {
      const step = answer.region.step(text, at, isWhole);
      if (step === undefined) break;
      spoken += answer.say(step.text);
      at = step.end;
    }
    this.#held = text.slice(at);
    return spoken;
  }
}

class ReadAnswer implements Answer {
  readonly tools: readonly ModelTool[];
  readonly toolNames: ReadonlySet<string>;
  readonly isInner: boolean;
  readonly calls: WrittenCall[] = [];
  readonly withheld = new Map<string, Withheld>();
  readonly #speech: SpeechRegion;
  #pauses = false;
  region: Region;
  hasWords = false;
  isLineStart = true;
  isAnswerStart = true;
  beganInThought: boolean | undefined;
  thoughtCharacters = 0;

  constructor({ tools, beginning = "speech" }: EarGateOptions, isInner = false) {
    this.tools = tools;
    this.toolNames = new Set(tools.map(({ name }) => name));
    this.isInner = isInner;
    this.#speech = new SpeechRegion(this);
    this.region = beginning === "speech" ? this.#speech : new BeginningRegion(this, beginning === "thought");
  }

  /**
   * White space before the first word is discarded, because thoughts end with empty lines. Where something was removed between words, the
   * caller hears a pause.
   */
  say(text: string): string {
    if (this.hasWords && !this.#pauses) return text;
    const words = text.trimStart();
    if (words === "") return "";
    const pause = this.hasWords ? "\n" : "";
    this.hasWords = true;
    this.#pauses = false;
    return pause + words;
  }

  pause(): void {
    this.#pauses = true;
  }

  markAt(text: string, index: number, isWhole: boolean): Mark | "unfinished" | undefined {
    const mark = markAt(text, index, { tools: this.toolNames, isWhole });
    return isWhole && mark === "unfinished" ? undefined : mark;
  }

  takeMark(mark: Mark, written: string): string {
    const { meaning, edge, name, word = "tool" } = mark;
    const opens = edge === "open" || edge === "single";
    switch (meaning) {
      case "thought":
        if (opens) this.enterThought({ notation: word, name });
        // Everything written so far was a thought; what was already spoken cannot be taken back (EAR-4).
        else if (edge === "close") this.beganInThought ??= true;
        return "";
      case "call":
        if (edge === "close") return "";
        this.enterCall({ notation: word, opener: mark, written });
        return edge === "empty" ? this.region.end(false) : "";
      case "others":
      case "code":
        if (opens) this.enter(new OthersRegion(this, name, meaning));
        return "";
      case "header":
        this.enterHeader(name);
        return "";
      case "line":
        return "\n";
      case "cell":
        return opens ? ", " : "";
      case "inline":
        return mark.text ?? "";
      case "message-end":
      case "noise":
        return " ";
      case "answer":
      case "header-end":
        return "";
    }
  }

  enter(region: Region): void {
    this.region = region;
  }

  enterSpeech(): void {
    this.region = this.#speech;
    this.isLineStart = true;
  }

  enterThought(thought: NewThought): void {
    this.beganInThought ??= false;
    this.region = new ThoughtRegion(this, thought);
    this.note({ what: "thought", notation: thought.notation });
  }

  enterCall(call: NewCall): void {
    this.region = new CallRegion(this, call);
  }

  enterHeader(name: string): void {
    this.region = new HeaderRegion(this, name);
  }

  readAgain(text: string, isCut = false): string {
    const inner = new ReadAnswer({ tools: this.tools }, true);
    let spoken = "";
    for (let at = 0; at < text.length;) {
      const step = inner.region.step(text, at, true);
      if (step === undefined) break;
      spoken += inner.say(step.text);
      at = step.end;
    }
    spoken += inner.region.end(isCut);
    this.calls.push(...inner.calls);
    for (const withheld of inner.withheld.values()) this.note(withheld);
    this.hasWords ||= inner.hasWords;
    return spoken;
  }

  note(withheld: Withheld): void {
    const { what, notation, tool } = withheld;
    this.withheld.set(JSON.stringify([what, notation, tool]), withheld);
  }
}

const escaped = /&(?:lt|#60|#x3c);|&(?:gt|#62|#x3e);|\\u003([ce])/gi;
const beginning = /(?:&(?:[lg]t?|#(?:6[02]?|x(?:3[ce]?)?)?)?|\\(?:u(?:0(?:0(?:3)?)?)?)?)$/i;

/**
 * Servers and models that escape what they write, as HTML or twice as JSON: `&lt;think&gt;`, `\u003cthink\u003e`. These are replaced by
 * the brackets they stand for before the text is examined. Other entities are replaced later, with the other characters that the voice
 * cannot read.
 */
class EscapedMarks {
  #waiting = "";

  push(piece: string): string {
    const text = this.#waiting + piece;
    this.#waiting = beginning.exec(text)?.[0] ?? "";
    return unescaped(text.slice(0, text.length - this.#waiting.length));
  }

  end(): string {
    const rest = this.#waiting;
    this.#waiting = "";
    return rest;
  }
}

function unescaped(text: string): string {
  return text.replaceAll(escaped, (written) => (/lt|60|3c/i.test(written) ? "<" : ">"));
}
