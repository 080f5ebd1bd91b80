/** What the open recogniser expects of texts that a test chooses. */
import type { Expectation } from "./moonshine-decoder.ts";
import { endToken, tokenCount } from "./written-tokens.ts";

/** A model to which these texts, each with its end, have these probabilities; anything else is hardly possible. */
export function hearing(...texts: readonly (readonly [tokens: readonly number[], probability: number])[]): Expectation {
  let steps = 0;
  const after = (tokens: readonly number[]): Expectation => {
    steps += 1;
    if (steps > 500) throw new Error("the search does not end");
    const scores = new Float32Array(tokenCount).fill(-40);
    for (const [text, probability] of texts) {
      if (tokens.some((token, at) => text[at] !== token)) continue;
      const next = text[tokens.length] ?? endToken;
      scores[next] = Math.log(Math.exp(scores[next] ?? -40) + probability);
    }
    return { scores, after: (token) => after([...tokens, token]) };
  };
  return after([]);
}
