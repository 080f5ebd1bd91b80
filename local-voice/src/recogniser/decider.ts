/** Who decides what was said, once the first search has ended. Pure. */
import type { Doubt } from "./doubtful-words.ts";

/**
 * `first search`: its text is taken. `better sentence`: a sentence that fits better than the text, or else the text. `likely sentence`: a
 * sentence that fits, or else the text. `proof`: a sentence that fits, or the text if it fits well; or else nothing but a guess.
 */
export type Decider = "first search" | "better sentence" | "likely sentence" | "proof";

export interface FirstResult {
  readonly hasText: boolean;
  readonly doubt: Doubt;
  readonly isNoisy: boolean;
}

const withText: Readonly<Record<Doubt, Readonly<Record<"quiet" | "noisy", Decider>>>> = {
  none: { quiet: "first search", noisy: "likely sentence" },
  slight: { quiet: "better sentence", noisy: "better sentence" },
  grave: { quiet: "proof", noisy: "proof" },
};

export function deciderOf({ hasText, doubt, isNoisy }: FirstResult): Decider {
  return hasText ? withText[doubt][isNoisy ? "noisy" : "quiet"] : "likely sentence";
}
