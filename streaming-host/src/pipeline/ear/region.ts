/** Parts of an answer that are read differently, one after the other: speech, a thought, a call, a fence of code. */
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import type { Mark } from "./mark.ts";
import type { WrittenCall } from "./written-calls.ts";

export interface Step {
  /** Up to here the text was read. */
  readonly end: number;
  /** What of it is for the ear. */
  readonly text: string;
}

export interface Region {
  /** Reads on from `at`; undefined if what follows decides, which it cannot where the text `isWhole`. */
  step(text: string, at: number, isWhole: boolean): Step | undefined;
  /** The answer ends in it; `isCut` at the model's limit. Returns what of it is for the ear after all. */
  end(isCut: boolean): string;
}

/** What was left out, for the log: nothing of it is the model's own words. */
export interface Withheld {
  readonly what: "thought" | "call" | "code" | "others";
  readonly notation: string;
  /** The offered tool that a call names. */
  readonly tool?: string | undefined;
}

export interface NewThought {
  /** Of its opening mark. */
  readonly name?: string;
  readonly notation: string;
  /** It ends with its message, as a channel does. */
  readonly isChannel?: boolean;
  /** Words that end it, where no mark does. */
  readonly until?: RegExp | undefined;
}

export interface NewCall {
  readonly notation: string;
  /** The mark before it; absent: it ends with its last bracket. */
  readonly opener?: Mark;
  /** The tool, where its name stands outside. */
  readonly tool?: string;
  /** What was read of it. */
  readonly written?: string;
}

/** The answer that is read, as its regions know it. */
export interface Answer {
  readonly tools: readonly ModelTool[];
  readonly toolNames: ReadonlySet<string>;
  /** It is a part of another one that is read again. */
  readonly isInner: boolean;
  isLineStart: boolean;
  isAnswerStart: boolean;
  /** Whether it began inside a thought; undefined until that shows. */
  beganInThought: boolean | undefined;
  thoughtCharacters: number;
  readonly calls: WrittenCall[];
  /** "unfinished": what follows decides, which nothing does where the text `isWhole`. */
  markAt(text: string, index: number, isWhole: boolean): Mark | "unfinished" | undefined;
  /** Goes on with what the mark begins; returns what is said in its place. */
  takeMark(mark: Mark, written: string): string;
  enter(region: Region): void;
  /** What follows is speech; after a part of another kind, a line begins. */
  enterSpeech(): void;
  enterThought(thought: NewThought): void;
  enterCall(call: NewCall): void;
  /** `name`: of the mark before it. */
  enterHeader(name: string): void;
  /** What was taken for something else is read as words: once, so that the work stays in proportion to the length. */
  readAgain(text: string, isCut?: boolean): string;
  /** Something was left out between words. */
  pause(): void;
  note(withheld: Withheld): void;
}

export const nothing = (end: number): Step => ({ end, text: "" });
