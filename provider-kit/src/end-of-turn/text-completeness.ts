/** Whether a text is a whole sentence, by the look of its end: for words that no list of sentences has. */
import { textFeatures } from "./text-features.ts";
import { textWeights } from "./text-weights.ts";

/**
 * Text alone is never sure, and less so of an end than of a beginning: "I have a question" is a sentence, and is not where
 * "about my card" follows.
 */
const mostNats = { whole: 1.2, beginning: 2.5 };

/** As a map: the names of features are put together anew for each text, and a map finds such a name sooner than an object. */
const worth = new Map(Object.entries(textWeights));

/** In nats: above 0, more probably whole than not. */
export function textCompleteness(words: readonly string[]): number {
  if (words.length === 0) return 0;
  const nats = textFeatures(words).reduce((sum, feature) => sum + (worth.get(feature) ?? 0), 0);
  return Math.max(-mostNats.beginning, Math.min(mostNats.whole, nats));
}
