/** Parts of a response that are not addressed to the caller. */
import { nextMark } from "./mark.ts";
import { nothing } from "./region.ts";
import type { Answer, Region, Step } from "./region.ts";

/** Somebody else's text, or the content of a script tag: up to its closing mark, or to the assistant's next turn. */
export class OthersRegion implements Region {
  readonly #answer: Answer;
  readonly #name: string;

  constructor(answer: Answer, name: string, what: "others" | "code") {
    this.#answer = answer;
    this.#name = name;
    answer.note({ what, notation: name === "role" ? name : what });
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const found = nextMark(text, at);
    if (found > at) return nothing(found);
    const mark = this.#answer.markAt(text, at, isWhole);
    if (mark === "unfinished") return undefined;
    if (mark === undefined) return nothing(at + 1);
    const end = at + mark.length;
    const begins = mark.meaning === "header" || (this.#name === "role" && mark.meaning === "answer");
    if (!begins && !(mark.name === this.#name && mark.edge === "close")) return nothing(end);
    this.#answer.enterSpeech();
    return { end, text: begins ? this.#answer.takeMark(mark, text.slice(at, end)) : " " };
  }

  end(): string {
    return "";
  }
}

/** The text between `<!--` and `-->`, which is not spoken. */
export class CommentRegion implements Region {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const found = text.indexOf("-->", at);
    if (found !== -1) {
      this.#answer.enterSpeech();
      return nothing(found + 3);
    }
    const end = isWhole ? text.length : text.length - 2;
    return end > at ? nothing(end) : undefined;
  }

  end(): string {
    return "";
  }
}
