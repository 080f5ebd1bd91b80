/**
 * Which words of a sentence belong to which slot of an intent, because a word fills one slot only: in "a medium roast", "medium" is no size
 * if "medium roast" is a roast. The longest reading wins. Of several slots that read the same words, the one wins beside whose place an
 * example has the same words ("from {account}"), then the one of the most specific type, then one that has no other words. Pure.
 */
import { findDates } from "../spoken-english/read-dates.ts";
import { findNumbers } from "../spoken-english/read-numbers.ts";
import { numbersMeant, type Place } from "../spoken-english/self-repair.ts";
import type { Intent, Slot } from "../rules/rules.ts";
import { isSameWord } from "./compare-words.ts";

export interface Claim extends Place {
  readonly slot: Slot;
  /** How specific the slot's type is for these words: a code of the right length says more than any number. */
  readonly specificity: number;
}

/** The claims that hold. `asked`: the slot that the sentence answers, which wins over others with the same words. */
export function claimsIn(
  { slots, examples }: Pick<Intent, "slots" | "examples">,
  tokens: readonly string[],
  todayMs: number,
  asked?: string,
): readonly Claim[] {
  const claims = slots.flatMap((slot) => claimsOf(slot, tokens, todayMs));
  const longest = claims.filter(
    (claim) => !claims.some((other) => other.slot !== claim.slot && overlap(claim, other) && size(other) > size(claim)),
  );
  const held: Claim[] = [];
  const wordsHeld = (slot: Slot): number => held.filter((claim) => claim.slot === slot).length;
  for (const claim of longest.toSorted((left, right) => left.start - right.start)) {
    if (held.includes(claim) || held.some((other) => other.slot !== claim.slot && overlap(other, claim))) continue;
    const rivals = longest.filter((other) => overlap(other, claim));
    const [winner = claim] = rivals.toSorted(
      (left, right) =>
        Number(right.slot.name === asked) - Number(left.slot.name === asked) ||
        likeExamples(right, examples, tokens) - likeExamples(left, examples, tokens) ||
        right.specificity - left.specificity ||
        wordsHeld(left.slot) - wordsHeld(right.slot),
    );
    held.push(winner.slot === claim.slot ? claim : winner);
  }
  return held;
}

/** The sentence as the slot may read it: words that belong to another slot are empty. */
export function wordsFor(slot: Slot, claims: readonly Claim[], tokens: readonly string[]): readonly string[] {
  const others = claims.filter((claim) => claim.slot !== slot);
  return others.length === 0
    ? tokens
    : tokens.map((token, at) => (others.some(({ start, end }) => at >= start && at < end) ? "" : token));
}

function claimsOf(slot: Slot, tokens: readonly string[], todayMs: number): readonly Claim[] {
  switch (slot.type) {
    case "choice":
      return Object.values(slot.options ?? {})
        .flat()
        .flatMap((wording) => placesOf(wording.split(" "), tokens))
        .map((place) => ({ ...place, slot, specificity: 2 }));
    case "date":
      return findDates(tokens, todayMs).map(({ start, end }) => ({ start, end, slot, specificity: 2 }));
    case "digits":
      return numbersMeant(tokens).flatMap(({ start, end, digits }) =>
        slot.length === undefined || digits.length === slot.length
          ? [{ start, end, slot, specificity: slot.length === undefined ? 1 : 2 }]
          : [],
      );
    case "number":
    case "amount":
      return findNumbers(tokens).map(({ start, end, isMoney }) => ({
        start,
        end,
        slot,
        specificity: isMoney && slot.type === "amount" ? 2 : 0,
      }));
    case "name":
    case "text":
      return [];
    default:
      return slot.type satisfies never;
  }
}

/** The places at which the words stand in the sentence. */
function placesOf(words: readonly string[], tokens: readonly string[]): readonly Place[] {
  return tokens.flatMap((_, start) =>
    words.every((word, index) => isSameWord(tokens[start + index] ?? "", word))
      ? [{ start, end: start + words.length }]
      : [],
  );
}

/** How much of what stands before and after the claim stands before and after the slot in an example. */
function likeExamples({ slot, start, end }: Claim, examples: readonly string[], tokens: readonly string[]): number {
  const place = `{${slot.name}}`;
  const likenesses = [...examples, ...(slot.answers ?? [])].map((example) => {
    const words = example.split(" ");
    const at = words.indexOf(place);
    if (at === -1) return 0;
    const isBefore = start > 0 && words[at - 1] === tokens[start - 1];
    const isAfter = end < tokens.length && words[at + 1] === tokens[end];
    return 2 * Number(isBefore) + Number(isAfter);
  });
  return Math.max(0, ...likenesses);
}

function overlap(left: Place, right: Place): boolean {
  return left.start < right.end && right.start < left.end;
}

function size({ start, end }: Place): number {
  return end - start;
}
