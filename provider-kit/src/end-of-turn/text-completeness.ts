/** Whether a text is a complete sentence, judged by its end: for text that is in no list of sentences. */
import { textFeatures } from "./text-features.ts";
import { textWeights } from "./text-weights.ts";

/**
 * Text alone is never certain, and less so about an end than about a beginning: "I have a question" is a sentence, but not if "about my
 * card" follows.
 */
const mostNats = { whole: 1.2, beginning: 2.5 };

/** A map, because names of features are composed anew for each text, and a map finds such a name faster than an object does. */
const worth = new Map(Object.entries(textWeights));

/** In nats: above 0, the text is more probably complete than not. */
export function textCompleteness(words: readonly string[]): number {
  if (words.length === 0) return 0;
  const nats = textFeatures(words).reduce((sum, feature) => sum + (worth.get(feature) ?? 0), 0);
  return Math.max(-mostNats.beginning, Math.min(mostNats.whole, nats));
}
