/** Text to be spoken, in which another region may begin at any point. */
import { formulaAt, plainFormula } from "./formula.ts";
import { FenceRegion } from "./fence-region.ts";
import { CommentRegion, OthersRegion } from "./others-region.ts";
import { longestMark, markAt, patternOf } from "./mark.ts";
import { labelAt, nextLabel } from "./labels.ts";
import { nothing } from "./region.ts";
import type { Answer, Region, Step } from "./region.ts";
import { announcedThoughts, announcementAt } from "./thought-region.ts";

/** Characters at which something that must not be spoken might begin; most characters are none of these. */
const trigger = /[<[{◁【\uE200`~\\$\n]/g;
/** Prefixes that servers and models write before a tool's name. */
const prefixes = ["functions.", "default_api.", "call:"];
const prefix = `(?:${prefixes.map(patternOf).join("|")})`;
const leadingPrefix = new RegExp(`^${prefix}`);
/** The word that Phi writes before its calls. */
const functools = "functools";
/** Possibly a tool's name and the beginning of its arguments. */
const nameAndMore =
  /(?<![\w.:-])([A-Za-z_][\w.:-]*)(\s|\s?\{\s*|\(\s*(?:[A-Za-z_]\w*\s*)?|\[(?:A(?:R(?:G(?:S)?)?)?)?|<)$/;
/** The last word of the text, which may become a tool's name. */
const lastWord = /(?<![\w.:-])([A-Za-z_][\w.:-]*)$/;
/** How many characters of the arguments are needed to recognise them as such: `(`, a keyword, `=`. */
const longestArguments = 100;
const wordCharacter = /[\w.:-]/;
/** The header of OpenAI's messages when its beginning was part of the prompt or removed in decoding. */
const bareHeaders = ["assistant", "analysis", "commentary", "final"]
  .flatMap((word) => [`${word}<|channel|>`, `${word}<|message|>`, `${word}<|constrain|>`, `${word} to=`])
  .concat("to=functions.");
/** The header of a message without its marks: Llama's "assistant" before an empty line, or a channel's name before a capital letter. */
const bareRole = /^(?:(?:assistant|model)\s*\n+|(?:assistant)?final(?=[A-ZÀ-Þ"']))/;
/** All bare headers and roles. A response that may continue to one of them waits. */
const beginnings = [...bareHeaders, "assistant\n\n", "model\n", "assistantfinal", "final", ...announcedThoughts];
/** Quoted, or followed by its arguments or by the end of the line. */
const toolBehindLabel = /^["'`*]{0,3}([A-Za-z_][\w.-]*)["'`*]{0,3}[ \t]*(?=[\n({[])/;
/** The response ended inside a mark: not "a <b", which is a comparison. */
const cutMark = /^<\/?[|｜]|^<\/?[A-Za-z_]\w[\w:]+$/;

interface NamedCall {
  readonly start: number;
  readonly end?: number;
  readonly tool?: string;
  readonly written?: string;
}

type Found = Step | "unfinished" | undefined;

export class SpeechRegion implements Region {
  readonly #answer: Answer;
  /** A tool's name before its arguments: `name(key=`, `name{"key"`, `name[ARGS]`. */
  readonly #name: RegExp;
  /** The last character was part of a word. */
  #isInWord = false;
  /** A label has introduced a thought or a call, so the labels that follow are recognised as well. */
  #isLabelled = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    const names = Array.from(answer.toolNames, patternOf).toSorted((left, right) => right.length - left.length);
    const either = [...names, functools].join("|");
    this.#name = new RegExp(
      String.raw`(?<![\w.:-])${prefix}?(${either})(?::\d+)?(?=\s?\{\s*["'}]|\(\s*(?:[){"'\d]|[A-Za-z_]\w*\s*=)|\[ARGS\]|<\||(?<=functools)\[)`,
    );
  }

  end(): string {
    return "";
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const step = this.#read(text, at, isWhole);
    if (step !== undefined && step.end > at) this.#isInWord = wordCharacter.test(text.charAt(step.end - 1));
    return step;
  }

  #read(text: string, at: number, isWhole: boolean): Step | undefined {
    const named = this.#answer.isLineStart ? this.#atLineStart(text, at, isWhole) : undefined;
    if (named !== undefined) return named === "unfinished" ? undefined : named;
    trigger.lastIndex = at;
    const found = trigger.exec(text)?.index ?? text.length;
    const name = this.#nameIn(text, at, found, isWhole);
    if (name?.start === at) return name.end === undefined ? undefined : this.#call(name, name.end);
    const end = name?.start ?? found;
    if (end > at) return this.#say(text.slice(at, end), end);
    if (text.charAt(at) === "\n") {
      this.#answer.isLineStart = true;
      return { end: at + 1, text: "\n" };
    }
    const begun = this.#markAt(text, at, isWhole) ?? this.#otherBeginning(text, at, isWhole);
    if (begun !== "unfinished") return begun ?? this.#say(text.charAt(at), at + 1);
    if (!isWhole) return undefined;
    return cutMark.test(text.slice(at)) ? nothing(text.length) : this.#say(text.charAt(at), at + 1);
  }

  #say(text: string, end: number): Step {
    if (/\S/.test(text)) {
      this.#answer.isLineStart = false;
      this.#answer.isAnswerStart = false;
    }
    return { end, text };
  }

  #markAt(text: string, at: number, isWhole: boolean): Found {
    const answer = this.#answer;
    // This does not use `answer.markAt`: here a mark that the end has cut off must be distinguished from a comparison.
    const mark = markAt(text, at, { tools: answer.toolNames, isWhole });
    if (mark === undefined || mark === "unfinished") return mark;
    // What follows a mark at the beginning of a line still counts as the beginning of that line.
    const { isLineStart, isAnswerStart } = answer;
    const end = at + mark.length;
    const said = answer.takeMark(mark, text.slice(at, end));
    answer.isLineStart ||= isLineStart;
    answer.isAnswerStart = isAnswerStart;
    return { end, text: said };
  }

  /** Finds what only has a meaning at the beginning of a line: an announced thought, or a tool's name before its arguments. */
  #atLineStart(text: string, at: number, isWhole: boolean): Found {
    const rest = text.slice(at, at + longestMark);
    const space = /^[ \t]+/.exec(rest)?.[0];
    if (space !== undefined) return { end: at + space.length, text: space };
    if (this.#answer.isAnswerStart) {
      if (bareHeaders.some((words) => rest.startsWith(words))) {
        this.#answer.enterHeader("channel");
        return nothing(at);
      }
      const announcement = announcementAt(rest);
      if (announcement !== undefined) {
        this.#answer.enterThought(announcement);
        return nothing(at + announcement.length);
      }
      const role = bareRole.exec(rest)?.[0];
      if (role !== undefined) return nothing(at + role.length);
      if (!isWhole && beginnings.some((words) => words.startsWith(rest))) return "unfinished";
    }
    return this.#labelled(rest, at, isWhole);
  }

  /** EAR-20: decides by a label at the beginning of a line what the text after it is. */
  #labelled(rest: string, at: number, isWhole: boolean): Found {
    const answer = this.#answer;
    const label = labelAt(rest, isWhole);
    if (label === undefined || label === "unfinished") return label;
    const { kind, word, length } = label;
    const step = nothing(at + length);
    switch (kind) {
      case "thought":
        this.#isLabelled = true;
        answer.enterThought({ notation: "label", until: nextLabel });
        return step;
      case "tool": {
        const behind = rest.slice(length);
        // The call itself follows.
        if (/^\s*(?:```|[{[])/.test(behind)) return step;
        const named = toolBehindLabel.exec(isWhole ? `${behind}\n` : behind);
        if (named === null)
          return isWhole || behind.length > 80 || behind.trim().includes("\n") ? undefined : "unfinished";
        const { 0: all, 1: name = "" } = named;
        const isOffered = answer.toolNames.has(name);
        // ReAct and Qwen-Agent may name a tool that does not exist.
        if (!isOffered && !(word === "action" && name.includes("_"))) return undefined;
        this.#isLabelled = true;
        answer.enterCall({ notation: "label", tool: name, written: name });
        return nothing(at + length + all.length);
      }
      case "result":
      case "user": {
        const isMeant = kind === "user" ? !answer.isAnswerStart : this.#isLabelled || answer.calls.length > 0;
        if (!isMeant) return undefined;
        answer.enter(new OthersRegion(answer, "role", "others"));
        return step;
      }
      case "answer": {
        if (!answer.isAnswerStart && !this.#isLabelled && !word.startsWith("final")) return undefined;
        return step;
      }
    }
  }

  /** Finds a tool's name before its arguments. Without an end, the position is where such a name may be beginning. */
  #nameIn(text: string, at: number, found: number, isWhole: boolean): NamedCall | undefined {
    if (found === at) return undefined;
    // A word that began earlier is not a name.
    const from = this.#isInWord ? at + (/^[\w.:-]*/.exec(text.slice(at, found))?.[0].length ?? 0) : at;
    const near = text.slice(from, found + longestArguments);
    const named = this.#name.exec(near);
    if (named !== null && from + named.index < found) {
      const start = from + named.index;
      return { start, end: start + named[0].length, tool: named[1] ?? "", written: named[0] };
    }
    if (isWhole || found + longestArguments < text.length) return undefined;
    const waiting = [nameAndMore, lastWord]
      .map((ending) => ending.exec(near))
      .find((last) => last !== null && from + last.index < found && this.#mayBeName(last[1], last[2]));
    return waiting == null ? undefined : { start: from + waiting.index };
  }

  #mayBeName(word = "", behind = ""): boolean {
    const name = word.replace(leadingPrefix, "").replace(/:\d*$/, "");
    const names = [...this.#answer.toolNames, functools];
    if (behind !== "") return names.includes(name);
    return names.some((each) => each.startsWith(name)) || prefixes.some((each) => each.startsWith(word));
  }

  /** JSON, a Python call, a comment, a fenced block, a source reference, a formula. */
  #otherBeginning(text: string, at: number, isWhole: boolean): Found {
    const rest = text.slice(at, at + longestMark);
    switch (rest.charAt(0)) {
      case "{":
        if (/^\{\s*["'}]/.test(rest)) return this.#enterCall("json", at);
        return /^\{\s*$/.test(rest) ? "unfinished" : undefined;
      case "[":
        return this.#listAt(rest, at);
      case "<":
        if (rest.startsWith("<!--")) return this.#enter(new CommentRegion(this.#answer), at + 4);
        return "<!--".startsWith(rest) ? "unfinished" : undefined;
      case "`":
      case "~": {
        const fence = /^(?:`{3,}|~{3,})/.exec(rest)?.[0];
        if (fence === undefined) return /^(?:`{1,2}|~{1,2})$/.test(rest) ? "unfinished" : undefined;
        if (fence.length === rest.length && !isWhole) return "unfinished";
        return this.#enter(new FenceRegion(this.#answer, fence), at + fence.length);
      }
      case "【":
      case "\uE200": {
        const source = /^(?:【[^【】\n]{0,80}†[^【】\n]{0,80}】|【[\d:, ]+】|\uE200[^\uE201\n]{0,200}\uE201)/.exec(
          rest,
        );
        if (source !== null) return nothing(at + source[0].length);
        return /^(?:【[^【】\n]{0,160}|\uE200[^\uE201\n]{0,200})$/.test(rest) ? "unfinished" : undefined;
      }
      default: {
        const formula = formulaAt(rest, isWhole);
        if (formula === undefined || formula === "unfinished") return formula;
        return this.#say(plainFormula(formula.text), at + formula.length);
      }
    }
  }

  #listAt(rest: string, at: number): Found {
    // An empty object that is neither the last of a list nor followed by another is a pair of braces.
    if (/^\[\s*\{\s*(?:["']|\}\s*[,\]])/.test(rest)) return this.#enterCall("json", at);
    const remark = /^\[([^[\]\n{(]{0,60})/.exec(rest)?.[1] ?? "";
    if (remark.length + 1 === rest.length && remark.length < 60 && this.#answer.toolNames.size > 0) return "unfinished";
    const about = remark.match(/[\w-]+/g)?.some((word) => word.includes("_") && this.#answer.toolNames.has(word));
    if (about === true && !/^\s*[A-Za-z_][\w.-]*$/.test(remark))
      return this.#enterCall(/result|response|output|return|success/i.test(remark) ? "remark" : "python", at);
    const [called, name = "", firstArgument] = /^\[\s*([A-Za-z_][\w.-]*)\(\s*(\)|[A-Za-z_]\w*\s*=)?/.exec(rest) ?? [];
    const { toolNames } = this.#answer;
    const isTool = toolNames.has(name) || toolNames.has(name.split(".").at(-1) ?? "");
    if (called !== undefined && (isTool || firstArgument !== undefined)) return this.#enterCall("python", at);
    return /^\[\s*(?:\{\s*(?:\}\s*)?|[A-Za-z_][\w.-]*(?:\(\s*\w*\s*)?)?$/.test(rest) ? "unfinished" : undefined;
  }

  #call({ tool = "", written = "" }: NamedCall, end: number): Step {
    // The list of calls follows.
    if (tool === functools) return nothing(end);
    const opener = { meaning: "call", edge: "open", name: "", length: 0 } as const;
    this.#answer.enterCall({ notation: "name", opener, tool, written });
    return nothing(end);
  }

  #enterCall(notation: string, at: number): Step {
    this.#answer.enterCall({ notation });
    return nothing(at);
  }

  #enter(region: Region, end: number): Step {
    this.#answer.enter(region);
    return nothing(end);
  }
}
