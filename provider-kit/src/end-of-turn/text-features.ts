/** What a text looks like at its end, as names of features that are there. The training and the estimate share it. */
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
