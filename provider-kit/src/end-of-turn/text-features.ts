/** The properties of a text's end, as the names of those that are present. Shared by the training and the estimator. */
import { wordClassOf } from "./word-classes.ts";

export function textFeatures(words: readonly string[]): string[] {
  const last = words.at(-1);
  const lastClass = wordClassOf(last);
  const before = wordClassOf(words.at(-2));
  const first = wordClassOf(words[0]);
  return [
    "bias",
    `last:${lastClass}`,
    `pair:${before}+${lastClass}`,
    `first:${first}+${lengthOf(words.length)}`,
    `length:${lengthOf(words.length)}`,
    ...(lastClass === "open" ? [] : [`word:${last ?? ""}`]),
  ];
}

function lengthOf(count: number): string {
  if (count <= 2) return String(count);
  return count <= 4 ? "3" : "5";
}
