/** The header of a message, which says who speaks, to whom, and on which channel. */
import { isThought } from "./mark.ts";
import { OthersRegion } from "./others-region.ts";
import { nothing } from "./region.ts";
import type { Answer, Region, Step } from "./region.ts";

/** No header is longer, so more text than this is speech. */
const longestHeader = 200;

export class HeaderRegion implements Region {
  readonly #answer: Answer;
  readonly #name: string;
  #words = "";

  constructor(answer: Answer, name: string) {
    this.#answer = answer;
    this.#name = name;
  }

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const character = text.charAt(at);
    if (character === "\n") return { end: at + 1, text: this.end() };
    // If special tokens were removed in decoding, only the bracket shows where the header ends.
    if (character === "{") return { end: at, text: this.end() };
    if (character !== "<") {
      const found = text.slice(at, at + longestHeader).search(/[<\n{]/);
      const end = found === -1 ? Math.min(text.length, at + longestHeader) : at + found;
      this.#words += text.slice(at, end);
      if (this.#words.length < longestHeader) return nothing(end);
      this.#answer.enterSpeech();
      return { end, text: this.#words };
    }
    const mark = this.#answer.markAt(text, at, isWhole);
    if (mark === "unfinished") return undefined;
    if (mark === undefined) return { end: at, text: this.end() };
    const end = at + mark.length;
    if (mark.meaning === "header-end") return { end, text: this.end() };
    // Harmony: `<|start|>assistant<|channel|>final <|constrain|>json<|message|>`.
    const goesOn = mark.meaning === "noise" || (mark.meaning === "header" && mark.name === "channel");
    if (!goesOn) return { end: at, text: this.end() };
    this.#words += " ";
    return nothing(end);
  }

  end(): string {
    const words = this.#words.trim();
    const recipient = /\bto=([\w.:-]+)/.exec(words)?.[1];
    const answer = this.#answer;
    answer.enterSpeech();
    // Of OpenAI's channels only `final` is meant for the caller.
    if (recipient === "self" || (recipient === undefined && (/\bcommentary\b/.test(words) || isThought(words))))
      answer.enterThought({ notation: "channel", isChannel: true });
    else if (recipient !== undefined && !/^(?:user|assistant|all)$/.test(recipient)) {
      const opener = { meaning: "call", edge: "open", name: "channel", length: 0 } as const;
      answer.enterCall({ notation: "channel", opener, tool: recipient });
    } else if (/^(?:user|human|system|developer|tool|observation|ipython|function)/.test(words))
      answer.enter(new OthersRegion(answer, "role", "others"));
    else if (this.#name !== "channel" && !/^(?:assistant|model|final|$)/.test(words)) return this.#words;
    return "";
  }
}
