/** Parts of a response that are read in different ways, one after the other: speech, a thought, a call, a fenced block of code. */
import type { ModelTool } from "@voice/provider-kit/ports/language-model";
import type { Mark } from "./mark.ts";
import type { WrittenCall } from "./written-calls.ts";

export interface Step {
  /** The text was read up to this index. */
  readonly end: number;
  /** The part of the read text that is to be spoken. */
  readonly text: string;
}

export interface Region {
  /** Continues reading at `at`. Undefined if the decision depends on what follows, which cannot happen when the text `isWhole`. */
  step(text: string, at: number, isWhole: boolean): Step | undefined;
  /** The response ends inside this region; `isCut`: at the model's limit. Returns text that is to be spoken after all. */
  end(isCut: boolean): string;
}

/** What was removed, for the log. It contains nothing that the model wrote itself. */
export interface Withheld {
  readonly what: "thought" | "call" | "code" | "others";
  readonly notation: string;
  /** The offered tool that a removed call names. */
  readonly tool?: string | undefined;
}

export interface NewThought {
  /** The name in the mark that opens the thought. */
  readonly name?: string;
  readonly notation: string;
  /** Whether the thought is a channel, which ends where its message ends. */
  readonly isChannel?: boolean;
  /** Words that end the thought where no closing mark comes. */
  readonly until?: RegExp | undefined;
}

export interface NewCall {
  readonly notation: string;
  /** The mark before the call. If absent, the call ends with its last bracket. */
  readonly opener?: Mark;
  /** The tool, if its name was found outside the arguments. */
  readonly tool?: string;
  /** What was already read of the call. */
  readonly written?: string;
}

/** The response being read, as its regions see it. */
export interface Answer {
  readonly tools: readonly ModelTool[];
  readonly toolNames: ReadonlySet<string>;
  /** Whether what is read is a part of a response that has been read once already. */
  readonly isInner: boolean;
  isLineStart: boolean;
  isAnswerStart: boolean;
  /** Whether the response began inside a thought; undefined until it shows. */
  beganInThought: boolean | undefined;
  thoughtCharacters: number;
  readonly calls: WrittenCall[];
  /** "unfinished": the decision depends on what follows, which cannot happen when the text `isWhole`. */
  markAt(text: string, index: number, isWhole: boolean): Mark | "unfinished" | undefined;
  /** Enters the region that the mark begins; returns the text that is spoken in place of the mark. */
  takeMark(mark: Mark, written: string): string;
  enter(region: Region): void;
  /** Speech follows; after a region of another kind, it starts at the beginning of a line. */
  enterSpeech(): void;
  enterThought(thought: NewThought): void;
  enterCall(call: NewCall): void;
  /** `name`: the name of the mark before the header. */
  enterHeader(name: string): void;
  /** Reads text as speech that was taken for something else. This happens once, so that the work stays proportional to the length. */
  readAgain(text: string, isCut?: boolean): string;
  /** Something was removed between two words. */
  pause(): void;
  note(withheld: Withheld): void;
}

export const nothing = (end: number): Step => ({ end, text: "" });
