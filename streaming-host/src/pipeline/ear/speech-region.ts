/** Words for the ear, in which something else may begin at any moment. */
import { formulaAt, plainFormula } from "./formula.ts";
import { FenceRegion } from "./fence-region.ts";
import { CommentRegion } from "./others-region.ts";
import { longestMark } from "./mark.ts";
import { nothing } from "./region.ts";
import type { Answer, Region, Step } from "./region.ts";
import { announcedThoughts, announcementAt } from "./thought-region.ts";

/** Where something might begin that is not for the ear; most characters are none of these. */
const trigger = /[<[{◁【\uE200`~\\$\n]/g;
/** What servers and models write before a tool's name, and Phi before its calls. */
const prefixes = ["functions.", "default_api.", "call:", "functools"];
/** The answer ended within a mark: not "a <b", which is a comparison. */
const cutMark = /^<\/?[|｜]|^<\/?[A-Za-z_]\w[\w:]+$/;

type Found = Step | "unfinished" | undefined;

export class SpeechRegion implements Region {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  end(): string {
    return "";
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const named = this.#answer.isLineStart ? this.#atLineStart(text, at, isWhole) : undefined;
    if (named !== undefined) return named === "unfinished" ? undefined : named;
    trigger.lastIndex = at;
    const found = trigger.exec(text)?.index ?? text.length;
    if (found > at) return this.#say(text.slice(at, found), found);
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
    const mark = answer.markAt(text, at, isWhole);
    if (mark === undefined || mark === "unfinished") return mark;
    // A line that begins with a mark still begins.
    const { isLineStart, isAnswerStart } = answer;
    const end = at + mark.length;
    const said = answer.takeMark(mark, text.slice(at, end));
    answer.isLineStart ||= isLineStart;
    answer.isAnswerStart = isAnswerStart;
    return { end, text: said };
  }

  /** What only means something where a line begins with it: an announced thought, a tool's name before its arguments. */
  #atLineStart(text: string, at: number, isWhole: boolean): Found {
    const rest = text.slice(at, at + longestMark);
    const space = /^[ \t]+/.exec(rest)?.[0];
    if (space !== undefined) return { end: at + space.length, text: space };
    if (this.#answer.isAnswerStart) {
      const announcement = announcementAt(rest);
      if (announcement !== undefined) {
        this.#answer.enterThought(announcement);
        return nothing(at + announcement.length);
      }
      if (!isWhole && announcedThoughts.some((words) => words.startsWith(rest))) return "unfinished";
    }
    return this.#nameAt(rest, at, isWhole);
  }

  #nameAt(rest: string, at: number, isWhole: boolean): Found {
    const word = /^[A-Za-z_][\w.:]*/.exec(rest)?.[0];
    if (word === undefined) return undefined;
    const { toolNames } = this.#answer;
    const next = rest.slice(word.length);
    if (word === "functools" && next.startsWith("[")) return nothing(at + word.length);
    const name = word.replace(/^(?:call:|functions\.|default_api\.)/, "").replace(/:\d*$/, "");
    const isTool = toolNames.has(name);
    if (isTool && /^\s?[({]|^\[ARGS\]|^<\|/.test(next)) {
      const opener = { meaning: "call", edge: "open", name: "", length: 0 } as const;
      this.#answer.enterCall({ notation: "name", opener, tool: name, written: word });
      return nothing(at + word.length);
    }
    const mayGoOn = next === "" || (isTool && /^\s?$|^\[(?:A(?:R(?:G(?:S)?)?)?)?$|^<$/.test(next));
    const isBeginning =
      [...toolNames].some((tool) => tool.startsWith(name)) || prefixes.some((prefix) => prefix.startsWith(word));
    return mayGoOn && isBeginning && !isWhole ? "unfinished" : undefined;
  }

  /** JSON, a call in Python, a comment, a fence of code, a source, a formula. */
  #otherBeginning(text: string, at: number, isWhole: boolean): Found {
    const rest = text.slice(at, at + longestMark);
    switch (rest.charAt(0)) {
      case "{":
        if (/^\{\s*["'}]/.test(rest)) return this.#call("json", at);
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
        const source = /^(?:【[^【】\n]{0,80}†[^【】\n]{0,80}】|【[\d:,\s]+】|\uE200[^\uE201\n]{0,200}\uE201)/.exec(
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
    if (/^\[\s*\{\s*["'}]/.test(rest)) return this.#call("json", at);
    const [called, name = "", firstArgument] = /^\[\s*([A-Za-z_][\w.]*)\(\s*(\)|[A-Za-z_]\w*\s*=)?/.exec(rest) ?? [];
    const { toolNames } = this.#answer;
    const isTool = toolNames.has(name) || toolNames.has(name.split(".").at(-1) ?? "");
    if (called !== undefined && (isTool || firstArgument !== undefined)) return this.#call("python", at);
    return /^\[\s*(?:\{\s*|[A-Za-z_][\w.]*(?:\(\s*\w*\s*)?)?$/.test(rest) ? "unfinished" : undefined;
  }

  #call(notation: string, at: number): Step {
    this.#answer.enterCall({ notation });
    return nothing(at);
  }

  #enter(region: Region, end: number): Step {
    this.#answer.enter(region);
    return nothing(end);
  }
}
