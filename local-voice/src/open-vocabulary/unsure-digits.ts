/**
 * What a caller has said in answer to a question for digits, and of which nothing was certain. If they go on, a turn may have ended within the
 * code, so both parts are heard as one. If they say it again later, having been asked, both together say more than either.
 */
import { isDeepStrictEqual } from "node:util";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { tokenise, withoutFillers } from "../rule-model/compare-words.ts";
import { afterYesNo, readYesNo } from "../spoken-english/yes-no.ts";
import { digitsIn, mayBeDigits } from "./agree-on-digits.ts";
import type { Conclusion } from "./arbitrate.ts";
import type { OpenText, ProbableCode } from "./moonshine.ts";
import { openRateHz } from "./open-rate.ts";
import { byProbability } from "./ranked-codes.ts";

/** Speech that resumes after this long is another answer. */
const rejoinMs = 2_500;
/** 8 s: longer than anybody takes for a code of eight digits. */
const mostSamples = 8 * openRateHz;
/** How much less probable a code is that was not among the most probable ones, or that the caller has denied: hearing and denying err as well. */
const leastBefore = -6;
const denied = Math.log(50);

interface Spoken {
  readonly samples: Int16Array;
  readonly startMs: number;
  readonly untilMs: number;
}

/** Of an answer whose final has been reported. */
interface Answer {
  readonly conclusion: Conclusion;
  readonly awaits: AwaitedAnswer | undefined;
  /** Undefined where the grammar decided alone. */
  readonly heard: { readonly spoken: Spoken; readonly words: OpenText | undefined } | undefined;
}

interface Attempts {
  readonly awaits: AwaitedAnswer;
  readonly codes: readonly ProbableCode[];
  /** What the caller was asked about. */
  readonly asked: string | undefined;
  readonly untilMs: number;
}

export class UnsureDigits {
  #spoken: Spoken | undefined;
  #attempts: Attempts | undefined;

  /** What was understood, and what is no code, leaves nothing to be compared with. */
  remember({ conclusion, awaits, heard }: Answer): void {
    const { text, guess = "" } = conclusion;
    const isUnsure = awaits?.type === "digits" && digitsIn(text) === undefined && mayBeDigits(heard?.words);
    this.#spoken = isUnsure ? heard?.spoken : undefined;
    if (isUnsure && heard !== undefined) {
      const { spoken, words } = heard;
      const codes = words?.codes ?? [];
      this.#attempts =
        codes.length === 0 ? undefined : { awaits, codes, asked: digitsIn(guess), untilMs: spoken.untilMs };
    } else if (isNo(text)) this.#deny();
    else if (text !== "") this.#attempts = undefined;
  }

  /** Those samples with the ones of what is said next, if this belongs to it. */
  togetherWith({ samples, startMs }: Omit<Spoken, "untilMs">): Int16Array | undefined {
    const earlier = this.#spoken;
    if (earlier === undefined || startMs < earlier.untilMs || startMs - earlier.untilMs >= rejoinMs) return undefined;
    return earlier.samples.length + samples.length > mostSamples ? undefined : joinSamples([earlier.samples, samples]);
  }

  /** What is said in answer to the same question, with the codes as probable as all attempts make them. */
  afterEarlier(words: OpenText, startMs: number, awaits: AwaitedAnswer | undefined): OpenText {
    const earlier = this.#attempts;
    const { codes = [] } = words;
    if (earlier === undefined || codes.length === 0 || startMs - earlier.untilMs < rejoinMs) return words;
    if (!isDeepStrictEqual(earlier.awaits, awaits)) return words;
    const before = new Map(earlier.codes.map(({ digits, score }) => [digits, score]));
    const most = Math.max(...before.values());
    const together = codes.map((code) => {
      const earlierScore = (before.get(code.digits) ?? -Infinity) - most;
      return { ...code, score: code.score + Math.max(leastBefore, earlierScore) };
    });
    return { ...words, codes: byProbability(together) };
  }

  #deny(): void {
    const attempts = this.#attempts;
    if (attempts === undefined) return;
    const codes = attempts.codes.map((code) =>
      code.digits === attempts.asked ? { ...code, score: code.score - denied } : code,
    );
    this.#attempts = { ...attempts, codes, asked: undefined };
  }
}

function isNo(text: string): boolean {
  const tokens = withoutFillers(tokenise(text));
  return readYesNo(tokens) === "no" && afterYesNo(tokens).length === 0;
}
