/** What a model thinks: passed over up to its end, and counted. */
import { nextMark } from "./mark.ts";
import type { Mark } from "./mark.ts";
import { nothing } from "./region.ts";
import type { Answer, NewThought, Region, Step } from "./region.ts";

/** OpenAI's channels, as they are decoded where special tokens are left out: "analysisThe caller … assistantfinalHello". */
const bareChannel = /^(?:analysis|commentary)(?=[A-Z"'¿¡])/;
const bareFinal = /assistant ?(?:final(?=[\s"'¿¡\p{Lu}\p{Lo}\d])|commentary(?= to=))/u;
/** Granite 3's. */
const graniteThoughts = ["Here's", "Here’s", "Here is"].map((words) => `${words} my thought process:`);
const announcedAnswer = /Here(?:'s|’s| is) my response:\s*/;
/** Of Ollama's own program, and of servers that pass its words on. */
const doneThinking = /\.\.\.done thinking\.\s*/;
/** The longest words that end a thought. */
const longestWords = 40;

/** Words with which an answer begins that is going to think. */
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

/** Reads over text in which marks, and perhaps words, say where it ends. */
abstract class PassedOver implements Region {
  readonly answer: Answer;
  readonly #until: RegExp | undefined;
  /** What may be the answer after all, where the thought does not end. */
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
      // What may be the beginning of the words that end it is kept.
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
  /** A word has announced it, and may not say where it ends. */
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
   * Where the answer may have begun inside the thought, it is spoken all the same. Behind a label, that is the last of several
   * paragraphs.
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
      // A thought that mentions its own opening mark is closed once; then this is the answer, if nothing closes it again.
      else this.candidate = [];
      return "";
    }
    if (edge === "open" || edge === "single") {
      if (meaning === "thought") this.#depth++;
      // Some models go on to the answer, or to a call, without closing the thought.
      else if (meaning === "answer" || meaning === "call") this.candidate ??= [];
    }
    this.passOver(written);
    return "";
  }

  protected endThought(): void {
    this.answer.enterSpeech();
  }
}

/** The beginning of an answer, while it is not known whether it is a thought whose opening mark stood in the prompt (EAR-4). */
export class BeginningRegion extends PassedOver {
  readonly #isLikelyThought: boolean;

  constructor(answer: Answer, isLikelyThought: boolean) {
    super(answer, bareFinal);
    this.#isLikelyThought = isLikelyThought;
    this.candidate = [];
  }

  /** It was no thought: what has waited. */
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
    // A thought that begins with a mark of its own, or a channel: what came before was no thought.
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
