/** The model's thought: skipped up to its end, and counted. */
import { nextMark } from "./mark.ts";
import type { Mark } from "./mark.ts";
import { nothing } from "./region.ts";
import type { Answer, NewThought, Region, Step } from "./region.ts";

/** OpenAI's channels as they appear when special tokens were removed in decoding: "analysisThe caller … assistantfinalHello". */
const bareChannel = /^(?:analysis|commentary)(?=[A-Z"'¿¡])/;
const bareFinal = /assistant ?(?:final(?=[\s"'¿¡\p{Lu}\p{Lo}\d])|commentary(?= to=))/u;
/** How Granite 3 introduces its thought and its answer. */
const graniteThoughts = ["Here's", "Here’s", "Here is"].map((words) => `${words} my thought process:`);
const announcedAnswer = /Here(?:'s|’s| is) my response:\s*/;
/** Written by Ollama's own program, and by servers that pass its text on. */
const doneThinking = /\.\.\.done thinking\.\s*/;
/** The length of the longest phrase that ends a thought. */
const longestWords = 40;

/** Phrases with which a response announces that a thought follows. */
export const announcedThoughts = ["analysis", "commentary", "Thinking...", ...graniteThoughts];

export function announcementAt(text: string): (NewThought & { readonly length: number }) | undefined {
  const channel = bareChannel.exec(text)?.[0];
  if (channel !== undefined) return { notation: "channel", until: bareFinal, length: channel.length };
  if (text.startsWith("Thinking...\n")) return { notation: "announced", until: doneThinking, length: 12 };
  const announced = graniteThoughts.find((words) => text.startsWith(words));
  return announced === undefined
    ? undefined
    : { notation: "announced", until: announcedAnswer, length: announced.length };
}

/** Skips text whose end is shown by marks, and in some cases by phrases. */
abstract class PassedOver implements Region {
  readonly answer: Answer;
  readonly #until: RegExp | undefined;
  /** Text that may turn out to be the response if the thought never ends. */
  protected candidate: string[] | undefined;

  constructor(answer: Answer, until: RegExp | undefined) {
    this.answer = answer;
    this.#until = until;
  }

  abstract end(isCut: boolean): string;
  protected abstract takeMark(mark: Mark, written: string): string;
  protected abstract endThought(): void;

  step(text: string, at: number, isWhole: boolean): Step | undefined {
    const found = nextMark(text, at);
    const ended = this.#until?.exec(text.slice(at, found + longestWords));
    if (ended != null && at + ended.index <= found) {
      this.passOver(text.slice(at, at + ended.index));
      this.endThought();
      if (ended[0].endsWith("commentary")) this.answer.enterHeader("channel");
      return nothing(at + ended.index + ended[0].length);
    }
    if (found > at) {
      // The possible beginning of a phrase that ends the region is retained.
      const isClear = this.#until === undefined || isWhole || found < text.length;
      const end = isClear ? found : Math.max(at, found - longestWords);
      if (end === at) return undefined;
      this.passOver(text.slice(at, end));
      return nothing(end);
    }
    const mark = this.answer.markAt(text, at, isWhole);
    if (mark === "unfinished") return undefined;
    if (mark === undefined) {
      this.passOver(text.charAt(at));
      return nothing(at + 1);
    }
    const end = at + mark.length;
    return { end, text: this.takeMark(mark, text.slice(at, end)) };
  }

  protected passOver(text: string): void {
    this.answer.thoughtCharacters += text.length;
    this.candidate?.push(text);
  }

  protected takeCandidate(): string {
    const text = this.candidate?.join("") ?? "";
    this.candidate = undefined;
    return text;
  }
}

export class ThoughtRegion extends PassedOver {
  readonly #isChannel: boolean;
  readonly #name: string | undefined;
  /** A word has introduced the thought, so its end may not be marked. */
  readonly #isLabelled: boolean;
  #depth = 1;

  constructor(answer: Answer, { isChannel = false, until, name, notation }: NewThought) {
    super(answer, until);
    this.#isLabelled = notation === "label";
    if (this.#isLabelled) this.candidate = [];
    this.#name = name;
    this.#isChannel = isChannel;
  }

  /**
   * If the response may have begun inside the thought, its text is spoken all the same. After a label, only the last of several paragraphs
   * is.
   */
  end(isCut: boolean): string {
    const written = this.takeCandidate();
    const last = written.lastIndexOf("\n\n");
    const text = this.#isLabelled ? (last === -1 ? "" : written.slice(last)) : written;
    this.answer.enterSpeech();
    return text === "" || isCut || this.answer.isInner ? "" : this.answer.readAgain(text);
  }

  protected takeMark(mark: Mark, written: string): string {
    const { edge } = mark;
    const meaning = mark.name === this.#name ? "thought" : mark.meaning;
    if (meaning === "header" || (this.#isChannel && meaning === "message-end")) {
      this.answer.enterSpeech();
      return this.answer.takeMark(mark, written);
    }
    if (meaning === "thought" && edge === "close") {
      this.#depth--;
      if (this.#depth === 0) this.endThought();
      // A thought that mentions its own opening mark is closed only once. What follows is then the response, unless another mark closes it.
      else this.candidate = [];
      return "";
    }
    if (edge === "open" || edge === "single") {
      if (meaning === "thought") this.#depth++;
      // Some models continue with the response, or with a call, without closing the thought.
      else if (meaning === "answer" || meaning === "call") this.candidate ??= [];
    }
    this.passOver(written);
    return "";
  }

  protected endThought(): void {
    this.answer.enterSpeech();
  }
}

/** The beginning of a response, while it is not known whether it is a thought whose opening mark is in the prompt (EAR-4). */
export class BeginningRegion extends PassedOver {
  readonly #isLikelyThought: boolean;

  constructor(answer: Answer, isLikelyThought: boolean) {
    super(answer, bareFinal);
    this.#isLikelyThought = isLikelyThought;
    this.candidate = [];
  }

  /** The text that was held back, which turned out not to be a thought. */
  takeWaiting(): string {
    this.answer.thoughtCharacters = 0;
    return this.takeCandidate();
  }

  end(isCut: boolean): string {
    const text = isCut && this.#isLikelyThought ? "" : this.takeWaiting();
    this.answer.enterSpeech();
    return text === "" ? "" : this.answer.readAgain(text, isCut);
  }

  protected takeMark(mark: Mark, written: string): string {
    const { meaning, edge } = mark;
    if (meaning === "thought" && edge === "close") {
      this.endThought();
      return "";
    }
    // A thought that has its own opening mark, or a channel, begins here, so what came before was not a thought.
    if (meaning === "header" || (meaning === "thought" && edge !== "empty")) {
      const said = this.answer.readAgain(this.takeWaiting());
      this.answer.enterSpeech();
      return said + this.answer.takeMark(mark, written);
    }
    this.passOver(written);
    return "";
  }

  protected endThought(): void {
    this.answer.beganInThought = true;
    this.answer.note({ what: "thought", notation: "unopened" });
    this.answer.enterSpeech();
  }
}
