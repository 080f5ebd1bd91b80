/**
 * Lets the words for the caller's ear pass, out of everything that a language model writes (EAR-1): not its thoughts, calls of
 * tools in text, code, or the marks of its chat template. Pure; one instance reads one answer. What cannot become a mark
 * passes at once, and each character is looked at a bounded number of times.
 */
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import { Nesting } from "./brackets.ts";
import { formulaAt, plainFormula } from "./formula.ts";
import { isThought, longestMark, markAt } from "./mark.ts";
import type { Mark } from "./mark.ts";
import { readWrittenCalls } from "./written-calls.ts";
import type { WrittenCall } from "./written-calls.ts";

/** What was left out, for the log: nothing of it is the model's own words. */
export interface Withheld {
  readonly what: "thought" | "call" | "code" | "others";
  readonly notation: string;
  /** The offered tool that a call names. */
  readonly tool?: string | undefined;
}

export interface EarGateOptions {
  readonly tools: readonly ModelTool[];
  /**
   * What the answer begins with, where no mark says so, because a thought's opening mark may have stood in the prompt (EAR-4).
   * Unless it is speech, nothing passes until a thought's end, or until it is known that there is none.
   */
  readonly beginning?: "speech" | "unknown" | "thought";
}

/** Where the text goes that is read now. */
type Region =
  | { readonly kind: "speech" }
  /** `until`: words that end it, where no mark does. */
  | { readonly kind: "thought"; depth: number; readonly channel: boolean; readonly until: RegExp | undefined }
  | { readonly kind: "beginning" }
  | { readonly kind: "header"; readonly name: string; words: string }
  | {
      readonly kind: "call";
      readonly opener: Mark | undefined;
      readonly notation: string;
      readonly nesting: Nesting;
      readonly tool: string | undefined;
      isXml: boolean;
      isComplete: boolean;
    }
  | { readonly kind: "fence"; readonly fence: string }
  | { readonly kind: "others"; readonly name: string; readonly what: "others" | "code" }
  | { readonly kind: "comment"; readonly end: string };

const speech: Region = { kind: "speech" };

/** Where something might begin that is not for the ear; most characters are none of these. */
const trigger = /[<[{◁【\uE200`~\\$\n]/g;
const marks = /[<[◁]/g;
/** OpenAI's, as it is decoded where special tokens are left out: "analysisThe caller … assistantfinalHello". */
const bareChannel = /^(analysis|commentary)(?=[A-Z"'¿¡])/;
const bareFinal = /assistant ?final(?=[\s"'¿¡\p{Lu}\p{Lo}\d])/u;
/** Granite 3's. */
const announcedThought = /^Here(?:'s|’s| is) my thought process:/;
const announcedAnswer = /Here(?:'s|’s| is) my response:\s*/;
const beginnings = [
  "analysis",
  "commentary",
  "Here's my thought process:",
  "Here’s my thought process:",
  "Here is my thought process:",
];
/** What servers and models write before a tool's name, and Phi before its calls. */
const prefixes = ["functions.", "default_api.", "call:", "functools"];
/** Longer than the words that end a thought. */
const longestWords = 40;
const proseFences = new Set(["", "text", "txt", "plain", "plaintext", "markdown", "md"]);
/** Where a fence holds none of these, it holds words. */
const looksLikeCode = /[{};=<>]|\w\(|^\s*(?:#|\/\/|\$ |import |def |function |SELECT )/m;

export class EarGate {
  readonly calls: WrittenCall[] = [];
  /** What was left out, each kind once. */
  readonly withheld = new Map<string, Withheld>();
  readonly #tools: readonly ModelTool[];
  readonly #names: ReadonlySet<string>;
  readonly #isInner: boolean;
  readonly #beginning: NonNullable<EarGateOptions["beginning"]>;
  #region: Region;
  #held = "";
  #captured: string[] = [];
  /** What may be the answer after all, where a thought does not end: what follows its first inner mark. */
  #candidate: string[] | undefined;
  #isLineStart = true;
  #isAnswerStart = true;
  #hasWords = false;
  /** Whether the answer began inside a thought; undefined until that shows. */
  #beganInThought: boolean | undefined;
  #thoughtCharacters = 0;

  constructor({ tools, beginning = "speech" }: EarGateOptions, isInner = false) {
    this.#tools = tools;
    this.#names = new Set(tools.map(({ name }) => name));
    this.#isInner = isInner;
    this.#beginning = beginning;
    this.#region = beginning === "speech" ? speech : { kind: "beginning" };
    if (beginning !== "speech") this.#candidate = [];
  }

  get beganInThought(): boolean | undefined {
    return this.#beganInThought;
  }

  get thoughtCharacters(): number {
    return this.#thoughtCharacters;
  }

  /** Nothing passes, because it is not known yet whether the answer begins with a thought. */
  get waitsForBeginning(): boolean {
    return this.#region.kind === "beginning";
  }

  /** What of this piece is for the ear. */
  push(piece: string): string {
    this.#held += piece;
    return this.#read(false);
  }

  /** The answer is taken to begin with words for the ear; returns those that have waited. */
  passBeginning(): string {
    if (this.#region.kind !== "beginning") return "";
    const waited = this.#takeCandidate() + this.#held;
    this.#held = "";
    this.#region = speech;
    return this.push(waited);
  }

  /** The answer is over; `isCut` before its end, at the model's limit. Returns the rest of what is for the ear. */
  end(isCut = false): string {
    let text = this.#read(true);
    const region = this.#region;
    if (region.kind === "call") text += this.#endUnfinishedCall(region, isCut);
    if (region.kind === "fence") text += this.#endCapture(isCut);
    if (region.kind === "header") text += this.#endHeader(region);
    if (region.kind === "beginning" || region.kind === "thought") text += this.#endUnfinishedThought(isCut);
    if (this.#hasWords) this.#beganInThought ??= false;
    return text;
  }

  #read(isWhole: boolean): string {
    const text = this.#held;
    let spoken = "";
    let at = 0;
    while (at < text.length) {
      const step = this.#step(text, at, isWhole);
      if (step === undefined) break;
      if (step.text !== "") {
        spoken += this.#hasWords ? step.text : step.text.trimStart();
        this.#hasWords ||= /\S/.test(step.text);
      }
      at = step.end;
    }
    this.#held = text.slice(at);
    return spoken;
  }

  /** Reads on from `at`; undefined if what follows decides. */
  #step(text: string, at: number, isWhole: boolean): { readonly end: number; readonly text: string } | undefined {
    const region = this.#region;
    switch (region.kind) {
      case "speech":
        return this.#stepInSpeech(text, at, isWhole);
      case "beginning":
      case "thought":
        return this.#stepInThought(region, text, at, isWhole);
      case "header":
        return this.#stepInHeader(region, text, at, isWhole);
      case "call":
        return this.#stepInCall(region, text, at, isWhole);
      case "fence":
        return this.#stepToEnd(text, at, isWhole, region.fence, (end) => {
          this.#captured.push(text.slice(at, end));
          return this.#endCapture(false);
        });
      case "comment":
        return this.#stepToEnd(text, at, isWhole, region.end, () => {
          this.#region = speech;
          return "";
        });
      case "others":
        return this.#stepInOthers(region, text, at, isWhole);
    }
  }

  #stepInSpeech(text: string, at: number, isWhole: boolean) {
    const rest = this.#isLineStart ? this.#atLineStart(text, at, isWhole) : "no mark";
    if (rest !== "no mark") return rest;
    trigger.lastIndex = at;
    const found = trigger.exec(text)?.index ?? text.length;
    if (found > at) return this.#pass(text.slice(at, found), found);
    const character = text.charAt(at);
    if (character === "\n") {
      this.#isLineStart = true;
      return { end: at + 1, text: "\n" };
    }
    const mark = markAt(text, at, { tools: this.#names, isWhole });
    if (mark === "unfinished") return isWhole ? this.#passUnfinished(text, at) : undefined;
    if (mark !== undefined) {
      // A mark alone is still the beginning of a line.
      const { isAnswerStart, isLineStart } = { isAnswerStart: this.#isAnswerStart, isLineStart: this.#isLineStart };
      const said = this.#takeMark(mark, text.slice(at, at + mark.length));
      this.#isLineStart ||= isLineStart;
      this.#isAnswerStart = isAnswerStart;
      return { end: at + mark.length, text: said };
    }
    const other = this.#otherBeginning(text, at, isWhole);
    if (other === "unfinished") return isWhole ? this.#pass(character, at + 1) : undefined;
    return other ?? this.#pass(character, at + 1);
  }

  #pass(text: string, end: number) {
    if (/\S/.test(text)) {
      this.#isLineStart = false;
      this.#isAnswerStart = false;
    }
    return { end, text };
  }

  /** The answer ends within what might have become a mark: a special token that was cut is not said, "a < b" is. */
  #passUnfinished(text: string, at: number) {
    return /^<\/?[|｜]|^<\/?[A-Za-z_]\w[\w:]+$/.test(text.slice(at))
      ? { end: text.length, text: "" }
      : this.#pass(text.charAt(at), at + 1);
  }

  /** Names that only mean something where a line begins with them: a tool's before its arguments, a thought's announcement. */
  #atLineStart(text: string, at: number, isWhole: boolean) {
    const rest = text.slice(at, at + longestMark);
    const space = /^[ \t]+/.exec(rest)?.[0].length ?? 0;
    if (space > 0) return { end: at + space, text: rest.slice(0, space) };
    if (this.#isAnswerStart) {
      const announced = bareChannel.exec(rest) ?? announcedThought.exec(rest);
      if (announced !== null) {
        const until = announced[1] === undefined ? announcedAnswer : bareFinal;
        this.#think({ channel: false, until }, until === bareFinal ? "channel" : "announced");
        return { end: at + announced[0].length, text: "" };
      }
      if (!isWhole && beginnings.some((beginning) => beginning.startsWith(rest) || rest === beginning))
        return undefined;
    }
    const word = /^[A-Za-z_][\w.:]*/.exec(rest)?.[0];
    if (word === undefined) return "no mark";
    if (word === "functools" && rest.startsWith("functools[")) return { end: at + word.length, text: "" };
    const bare = word.replace(/^(?:call:|functions\.|default_api\.)/, "").replace(/:\d*$/, "");
    const next = rest.slice(word.length);
    if (this.#names.has(bare) && /^\s?[({]|^\[ARGS\]|^<\|/.test(next)) {
      this.#capture({ meaning: "call", edge: "open", name: "", length: 0 }, "name", bare);
      this.#captured.push(word);
      return { end: at + word.length, text: "" };
    }
    const mayContinue = next === "" || (this.#names.has(bare) && /^\s?$|^\[(?:A(?:R(?:G(?:S)?)?)?)?$|^<$/.test(next));
    const isBeginning =
      [...this.#names].some((name) => name.startsWith(bare)) || prefixes.some((prefix) => prefix.startsWith(word));
    return mayContinue && isBeginning && !isWhole ? undefined : "no mark";
  }

  /** JSON, a call in Python, a fence of code, a citation, a formula. */
  #otherBeginning(text: string, at: number, isWhole: boolean) {
    const rest = text.slice(at, at + longestMark);
    switch (rest.charAt(0)) {
      case "{":
        if (/^\{\s*["'}]/.test(rest)) return this.#captureAt(at, "json");
        return /^\{\s*$/.test(rest) ? ("unfinished" as const) : undefined;
      case "[": {
        if (/^\[\s*\{\s*["'}]/.test(rest)) return this.#captureAt(at, "json");
        const called = /^\[\s*([A-Za-z_][\w.]*)\(\s*(\)|[A-Za-z_]\w*\s*=)?/.exec(rest);
        if (called !== null && (this.#isTool(called[1]) || called[2] !== undefined))
          return this.#captureAt(at, "python");
        return /^\[\s*(?:\{\s*|[A-Za-z_][\w.]*(?:\(\s*\w*\s*)?)?$/.test(rest) ? ("unfinished" as const) : undefined;
      }
      case "<": {
        if (rest.startsWith("<!--")) return this.#enter({ kind: "comment", end: "-->" }, at + 4);
        return "<!--".startsWith(rest) ? ("unfinished" as const) : undefined;
      }
      case "`":
      case "~": {
        const fence = /^(?:`{3,}|~{3,})/.exec(rest)?.[0];
        if (fence !== undefined)
          return fence.length === rest.length && !isWhole
            ? ("unfinished" as const)
            : this.#enter({ kind: "fence", fence }, at + fence.length);
        return /^(?:`{1,2}|~{1,2})$/.test(rest) ? ("unfinished" as const) : undefined;
      }
      case "【":
      case "\uE200": {
        const cited = /^(?:【[^【】\n]{0,80}†[^【】\n]{0,80}】|【[\d:,\s]+】|\uE200[^\uE201\n]{0,200}\uE201)/.exec(
          rest,
        );
        if (cited !== null) return { end: at + cited[0].length, text: "" };
        return /^(?:【[^【】\n]{0,160}|\uE200[^\uE201\n]{0,200})$/.test(rest) ? ("unfinished" as const) : undefined;
      }
      default: {
        const formula = formulaAt(rest, isWhole);
        if (formula === undefined || formula === "unfinished") return formula;
        return this.#pass(plainFormula(formula.text), at + formula.length);
      }
    }
  }

  #isTool(name = ""): boolean {
    return this.#names.has(name) || this.#names.has(name.split(".").at(-1) ?? "");
  }

  #takeMark(mark: Mark, written: string): string {
    const { meaning, edge, name, word = "tool" } = mark;
    if (meaning === "thought") {
      if (edge === "empty") return "";
      if (edge !== "close") this.#think({ channel: false, until: undefined }, word);
      // Whatever the answer has said so far was thought; it cannot be unsaid (EAR-4).
      else this.#beganInThought ??= true;
      return "";
    }
    if (meaning === "call") {
      if (edge === "close") return "";
      this.#capture(mark, word, undefined);
      this.#captured.push(written);
      return edge === "empty" ? this.#endCapture(false) : "";
    }
    if ((meaning === "others" || meaning === "code") && edge !== "close" && edge !== "empty")
      this.#region = { kind: "others", name, what: meaning };
    else if (meaning === "header") this.#region = { kind: "header", name, words: "" };
    if (meaning === "line") return "\n";
    if (meaning === "cell") return edge === "close" ? "" : ", ";
    if (meaning === "inline") return mark.text ?? "";
    return meaning === "message-end" || meaning === "noise" ? (this.#hasWords ? " " : "") : "";
  }

  #think(
    { channel, until }: { readonly channel: boolean; readonly until: RegExp | undefined },
    notation: string,
  ): void {
    this.#beganInThought ??= false;
    this.#region = { kind: "thought", depth: 1, channel, until };
    this.#candidate = undefined;
    this.#note("thought", notation);
  }

  #stepInThought(
    region: Extract<Region, { kind: "thought" | "beginning" }>,
    text: string,
    at: number,
    isWhole: boolean,
  ) {
    const until = region.kind === "thought" ? region.until : bareFinal;
    marks.lastIndex = at;
    const found = marks.exec(text)?.index ?? text.length;
    const ended = until?.exec(text.slice(at, found + longestWords));
    if (ended != null && at + ended.index <= found) {
      this.#passOver(text.slice(at, at + ended.index));
      this.#endThought(region.kind === "beginning");
      return { end: at + ended.index + ended[0].length, text: "" };
    }
    if (found > at) {
      // What may be the beginning of the words that end it is kept.
      const end = until === undefined || isWhole || found < text.length ? found : Math.max(at, found - longestWords);
      if (end === at) return undefined;
      this.#passOver(text.slice(at, end));
      return { end, text: "" };
    }
    const mark = markAt(text, at, { tools: this.#names, isWhole });
    if (mark === "unfinished" && !isWhole) return undefined;
    if (mark === undefined || mark === "unfinished") {
      this.#passOver(text.charAt(at));
      return { end: at + 1, text: "" };
    }
    return this.#takeMarkInThought(region, mark, text.slice(at, at + mark.length), at);
  }

  #takeMarkInThought(
    region: Extract<Region, { kind: "thought" | "beginning" }>,
    mark: Mark,
    written: string,
    at: number,
  ) {
    const end = at + mark.length;
    const { meaning, edge } = mark;
    const opens = edge === "open" || edge === "single";
    if (region.kind === "beginning") {
      if (meaning === "thought" && edge === "close") {
        this.#endThought(true);
        return { end, text: "" };
      }
      // A thought that begins with a mark of its own, or a channel: what came before was no thought.
      if ((meaning === "thought" && opens) || meaning === "header") {
        const waited = this.#takeCandidate();
        this.#region = speech;
        const said = this.#readAgain(waited);
        return { end, text: said + this.#takeMark(mark, written) };
      }
      this.#passOver(written);
      return { end, text: "" };
    }
    if (meaning === "header" || (region.channel && meaning === "message-end")) {
      this.#region = speech;
      return { end, text: this.#takeMark(mark, written) };
    }
    if (meaning === "thought" && edge === "close") {
      region.depth--;
      if (region.depth === 0) this.#endThought(false);
      // A thought that mentions its own opening mark is closed once; then this is the answer, if nothing closes it again.
      else this.#candidate = [];
      return { end, text: "" };
    }
    if (meaning === "thought" && opens) region.depth++;
    // Some models go on to the answer, or to a call, without closing the thought.
    else if ((meaning === "answer" || meaning === "call") && opens) this.#candidate ??= [];
    this.#passOver(written);
    return { end, text: "" };
  }

  #passOver(text: string): void {
    this.#thoughtCharacters += text.length;
    if (!this.#isInner || this.#region.kind === "beginning") this.#candidate?.push(text);
  }

  #endThought(isBeginning: boolean): void {
    if (isBeginning) {
      this.#beganInThought = true;
      this.#note("thought", "unopened");
    }
    this.#candidate = undefined;
    this.#region = speech;
    this.#isLineStart = true;
    this.#isAnswerStart = false;
  }

  #takeCandidate(): string {
    const text = this.#candidate?.join("") ?? "";
    this.#candidate = undefined;
    return text;
  }

  /** Where the answer may have begun inside the thought that does not end, it is spoken all the same. */
  #endUnfinishedThought(isCut: boolean): string {
    const isThought = this.#region.kind === "thought" || this.#beginning === "thought";
    const text = this.#takeCandidate();
    this.#region = speech;
    if (text === "" || (isCut && isThought)) return "";
    return this.#readAgain(text, isCut);
  }

  /** What was taken for something else is read as words. Once: what is left over then is not read a third time. */
  #readAgain(text: string, isCut = false): string {
    const inner = new EarGate({ tools: this.#tools }, true);
    const spoken = inner.push(text) + inner.end(isCut);
    this.calls.push(...inner.calls);
    for (const [key, withheld] of inner.withheld) this.withheld.set(key, withheld);
    this.#hasWords ||= inner.#hasWords;
    return spoken;
  }

  #stepInHeader(region: Extract<Region, { kind: "header" }>, text: string, at: number, isWhole: boolean) {
    const end = text.slice(at).search(/[<\n]/);
    if (end !== 0) {
      const upTo = end === -1 ? text.length : at + end;
      region.words += text.slice(at, upTo);
      // No header is that long: these are words.
      if (region.words.length > 200) {
        this.#region = speech;
        return { end: upTo, text: region.words };
      }
      return { end: upTo, text: "" };
    }
    if (text.charAt(at) === "\n") return { end: at + 1, text: this.#endHeader(region) };
    const mark = markAt(text, at, { tools: this.#names, isWhole });
    if (mark === "unfinished" && !isWhole) return undefined;
    if (mark === undefined || mark === "unfinished") return { end: at, text: this.#endHeader(region) };
    // Harmony: `<|constrain|>json` says how the message is written.
    if (mark.meaning === "noise") region.words += " ";
    else if (mark.meaning === "header" && mark.name === "channel") region.words += " ";
    else if (mark.meaning === "header-end") return { end: at + mark.length, text: this.#endHeader(region) };
    else {
      this.#endHeader(region);
      return { end: at, text: "" };
    }
    return { end: at + mark.length, text: "" };
  }

  /** Who speaks now, and on which channel. */
  #endHeader({ name, words }: Extract<Region, { kind: "header" }>): string {
    const said = words.trim();
    const recipient = /\bto=([\w.:-]+)/.exec(said)?.[1];
    this.#region = speech;
    this.#isLineStart = true;
    if (recipient === "self" || (recipient === undefined && isUnspoken(said))) {
      this.#think({ channel: true, until: undefined }, "channel");
    } else if (recipient !== undefined && !/^(?:user|assistant|all)$/.test(recipient)) {
      this.#capture({ meaning: "call", edge: "open", name: "channel", length: 0 }, "channel", recipient);
    } else if (/^(?:user|human|system|developer|tool|observation|ipython|function)/.test(said)) {
      this.#region = { kind: "others", name: "role", what: "others" };
    } else if (name === "channel" || /^(?:assistant|model|final|$)/.test(said)) return "";
    else return words;
    return "";
  }

  #stepInOthers(region: Extract<Region, { kind: "others" }>, text: string, at: number, isWhole: boolean) {
    marks.lastIndex = at;
    const found = marks.exec(text)?.index ?? text.length;
    if (found > at) {
      this.#note(region.what, region.name === "role" ? "role" : region.what);
      return { end: found, text: "" };
    }
    const mark = markAt(text, at, { tools: this.#names, isWhole });
    if (mark === "unfinished" && !isWhole) return undefined;
    if (mark === undefined || mark === "unfinished") return { end: at + 1, text: "" };
    const end = at + mark.length;
    if (region.name === "role") {
      // Until the assistant's next turn.
      if (mark.meaning !== "header" && mark.meaning !== "answer") return { end, text: "" };
      this.#region = speech;
      return { end, text: this.#takeMark(mark, text.slice(at, end)) };
    }
    if ((mark.name === region.name && mark.edge === "close") || mark.meaning === "header") {
      this.#region = speech;
      return { end, text: mark.meaning === "header" ? this.#takeMark(mark, text.slice(at, end)) : " " };
    }
    return { end, text: "" };
  }

  #enter(region: Region, end: number) {
    this.#region = region;
    this.#captured = [];
    return { end, text: "" };
  }

  #captureAt(at: number, notation: string) {
    this.#capture(undefined, notation, undefined);
    return { end: at, text: "" };
  }

  #capture(opener: Mark | undefined, notation: string, tool: string | undefined): void {
    const nesting = new Nesting(notation === "json" || notation === "python" || notation === "name" ? `"'` : '"');
    this.#region = { kind: "call", opener, notation, nesting, tool, isXml: false, isComplete: false };
    this.#captured = [];
  }

  #stepInCall(region: Extract<Region, { kind: "call" }>, text: string, at: number, isWhole: boolean) {
    const { opener, nesting } = region;
    let end = at;
    for (; end < text.length; end++) {
      const character = text.charAt(end);
      if (region.isComplete && opener !== undefined && !/[\s<[{,;`◁\]})]/.test(character))
        return this.#leaveCall(text, at, end, end);
      if (nesting.depth === 0 && (character === "<" || (character === "[" && opener !== undefined))) {
        const mark = markAt(text, end, { tools: this.#names, isWhole });
        if (mark === "unfinished" && !isWhole) break;
        if (mark !== undefined && mark !== "unfinished") {
          if (closes(mark, opener))
            return this.#leaveCall(text, at, end, end + (mark.meaning === "header" ? 0 : mark.length));
          region.isXml ||=
            opener !== undefined &&
            /^(?:parameter|param|argument|arg|invoke|function)\b|^\w+ (?:parameter|invoke)\b/.test(mark.name) &&
            mark.edge !== "close" &&
            text.charAt(end) === "<" &&
            !/[|｜]tool|argument begin/.test(text.slice(end, end + mark.length));
          end += mark.length - 1;
          continue;
        }
      }
      if (region.isXml) continue;
      if (nesting.accept(character)) {
        region.isComplete = true;
        if (opener === undefined) return this.#leaveCall(text, at, end + 1, end + 1);
      }
    }
    if (end === at) return undefined;
    this.#captured.push(text.slice(at, end));
    return { end, text: "" };
  }

  #leaveCall(text: string, from: number, to: number, end: number) {
    this.#captured.push(text.slice(from, to));
    return { end, text: this.#endCapture(false) };
  }

  /** What was written between two marks, or in a fence of code, is a call of an offered tool, or is left out. */
  #endCapture(isCut: boolean): string {
    const region = this.#region;
    const written = this.#captured.join("");
    this.#captured = [];
    this.#region = speech;
    this.#isLineStart = true;
    if (region.kind === "fence") return this.#endFence(region.fence, written);
    if (region.kind !== "call") return "";
    const calls = isCut && !region.isComplete ? [] : readWrittenCalls(written, this.#tools, region.tool);
    this.calls.push(...calls);
    if (calls.length === 0) {
      const tool = region.tool ?? this.#tools.find(({ name }) => written.includes(name))?.name;
      this.#note("call", region.notation, this.#isTool(tool) ? tool : undefined);
    }
    // What follows is not the end of a line of its own, but the caller hears a pause.
    return this.#hasWords ? "\n" : "";
  }

  /** Words behind the end of a call whose JSON is broken, and words that only stand behind a mark, are spoken. */
  #endUnfinishedCall(region: Extract<Region, { kind: "call" }>, isCut: boolean): string {
    const written = this.#captured.join("");
    const found = this.calls.length;
    const said = this.#endCapture(isCut);
    if (this.calls.length > found || region.isComplete || this.#isInner || isCut) return said;
    const lastMark = written.lastIndexOf("</");
    const mark = lastMark === -1 ? undefined : markAt(written, lastMark, { tools: this.#names, isWhole: true });
    const start = region.opener?.length ?? 0;
    const rest =
      mark !== undefined && mark !== "unfinished" && closes(mark, region.opener)
        ? written.slice(lastMark + mark.length)
        : written.slice(start);
    if (lastMark === -1 && (/[<>{}[\]()]/.test(rest) || rest.trim().split(/\s+/).length < 4)) return said;
    return said + this.#readAgain(rest, isCut);
  }

  #endFence(fence: string, written: string): string {
    const [language = "", ...lines] = written.split("\n");
    const body = lines.length === 0 ? written : lines.join("\n");
    const calls = readWrittenCalls(body, this.#tools);
    this.calls.push(...calls);
    if (calls.length > 0) return "";
    const label = language.trim().toLowerCase();
    const content = body.endsWith(fence) ? body.slice(0, -fence.length) : body;
    if (lines.length > 0 && proseFences.has(label) && !looksLikeCode.test(content)) return content;
    this.#note("code", "fence");
    return this.#hasWords ? "\n" : "";
  }

  /** Up to `end`, which may come in pieces. */
  #stepToEnd(text: string, at: number, isWhole: boolean, end: string, onEnd: (end: number) => string) {
    const found = text.indexOf(end, at);
    if (found !== -1) return { end: found + end.length, text: onEnd(found) };
    const upTo = isWhole ? text.length : Math.max(at, text.length - end.length + 1);
    if (upTo === at) return undefined;
    this.#captured.push(text.slice(at, upTo));
    return { end: upTo, text: "" };
  }

  #note(what: Withheld["what"], notation: string, tool?: string): void {
    this.withheld.set(`${what} ${notation} ${tool ?? ""}`, { what, notation, ...(tool !== undefined && { tool }) });
  }
}

/** Of OpenAI's channels only `final` is for the caller. */
function isUnspoken(header: string): boolean {
  return /\bcommentary\b/.test(header) || isThought(header);
}

function closes(mark: Mark, opener: Mark | undefined): boolean {
  if (opener === undefined) return false;
  if (mark.meaning === "message-end" || mark.meaning === "header") return true;
  return mark.edge === "close" && mark.name === opener.name;
}
