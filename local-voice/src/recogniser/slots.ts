/** The grammar of slot values: each function adds one network of paths between two states. */
import { awaitedDigits } from "./awaited-digits.ts";
import type { ChoiceToken, SlotName, SlotToken } from "./examples.ts";
import type { FsgBuilder } from "./fsg.ts";
import { currencies, letters, longOrdinals, otherDays, relativeDays } from "./everyday-words.ts";
import { months, weekdays } from "@voice/shared/languages/en/calendar";
import { spokenDigits, teens, tens, unitOrdinals, units } from "@voice/shared/languages/en/numerals";

type Network = (fsg: FsgBuilder, from: number, to: number, probability: number) => void;

/** Codes are usually long, so ending after a digit is unlikely. */
const stay = 0.85;

const loop =
  (words: readonly string[], first = words): Network =>
  (fsg, from, to, probability) => {
    const inside = fsg.state();
    fsg.words(from, inside, probability, first);
    fsg.words(inside, inside, stay, words);
    fsg.arc(inside, to, 1 - stay);
  };

/** "oh" cannot come first: a hum would be recognised as a code. */
export const digitString: Network = loop(
  spokenDigits,
  spokenDigits.filter((digit) => digit !== "oh"),
);

/** At least two letters, because a tone sounds like a single one. */
export const spelling: Network = (fsg, from, to, probability) => {
  const first = fsg.state();
  fsg.words(from, first, probability, letters);
  loop(letters)(fsg, first, to, 1);
};

/**
 * Numbers up to the hundred thousands, including years ("nineteen eighty four", "twenty twenty six") and "a hundred and
 * five".
 */
export const number: Network = (fsg, from, to, probability) => {
  const afterTens = fsg.state();
  const afterUnit = fsg.state();
  const afterTeen = fsg.state();
  const afterHundred = fsg.state();
  const afterThousand = fsg.state();
  const afterAnd = fsg.state();
  const afterA = fsg.state();

  const below100 = (state: number, share: number): void => {
    fsg.words(state, afterTens, share * 0.4, tens);
    fsg.words(state, afterTeen, share * 0.2, teens);
    fsg.words(state, afterUnit, share * 0.4, units);
  };
  below100(from, probability * 0.9);
  fsg.arc(from, afterA, probability * 0.05, "a");
  fsg.arc(from, to, probability * 0.05, "zero");
  fsg.arc(afterA, afterHundred, 0.6, "hundred");
  fsg.arc(afterA, afterThousand, 0.4, "thousand");
  fsg.words(afterTens, afterUnit, 0.45, units);
  const century = fsg.state();
  const decade = fsg.state();
  fsg.words(from, century, probability * 0.1, [...teens, "twenty"]);
  fsg.words(century, to, 0.3, teens);
  fsg.words(century, decade, 0.7, tens);
  fsg.words(decade, to, 0.8, units);
  fsg.arc(decade, to, 0.2);
  fsg.arc(afterUnit, afterHundred, 0.25, "hundred");
  fsg.arc(afterTeen, afterHundred, 0.05, "hundred");
  for (const state of [afterTens, afterUnit, afterTeen, afterHundred]) fsg.arc(state, afterThousand, 0.1, "thousand");
  for (const state of [afterHundred, afterThousand]) {
    fsg.arc(state, afterAnd, 0.15, "and");
    below100(state, 0.4);
  }
  below100(afterAnd, 1);
  for (const state of [afterTens, afterUnit, afterTeen, afterHundred, afterThousand]) fsg.arc(state, to, 0.35);
};

/** "Fifty dollars", "twelve dollars and thirty cents", "fifty". */
export const amount: Network = (fsg, from, to, probability) => {
  const counted = fsg.state();
  const named = fsg.state();
  const joined = fsg.state();
  const cents = fsg.state();
  number(fsg, from, counted, probability);
  fsg.words(counted, named, 0.8, currencies);
  fsg.arc(counted, to, 0.2);
  fsg.arc(named, to, 0.8);
  fsg.arc(named, joined, 0.1, "and");
  fsg.arc(named, joined, 0.1);
  number(fsg, joined, cents, 1);
  fsg.arc(cents, to, 0.8, "cents");
  fsg.arc(cents, to, 0.2);
};

/** "May third", "the third of May", "May twenty first twenty twenty six", "next Monday", "tomorrow". */
export const date: Network = (fsg, from, to, probability) => {
  const afterMonth = fsg.state();
  const afterDay = fsg.state();
  const afterThe = fsg.state();
  const dayFirst = fsg.state();
  const afterOf = fsg.state();
  const afterNext = fsg.state();
  fsg.words(from, to, probability * 0.3, relativeDays);
  fsg.words(from, to, probability * 0.2, weekdays);
  fsg.words(from, afterNext, probability * 0.1, ["next", "this", "on", "last"]);
  fsg.words(afterNext, to, 1, weekdays);
  const afterOn = fsg.state();
  fsg.arc(from, afterOn, probability * 0.05, "on");
  fsg.words(afterOn, afterMonth, 0.8, months);
  fsg.arc(afterOn, afterThe, 0.2, "the");
  for (const words of otherDays) sequence(fsg, from, to, probability * 0.02, words);
  const afterCount = fsg.state();
  fsg.words(from, afterCount, probability * 0.02, units);
  sequence(fsg, afterCount, to, 0.5, ["days", "ago"]);
  sequence(fsg, afterCount, to, 0.5, ["weeks", "ago"]);
  fsg.words(from, afterMonth, probability * 0.3, months);
  ordinal(fsg, afterMonth, afterDay, 0.7);
  number(fsg, afterMonth, afterDay, 0.3);
  fsg.arc(afterDay, to, 0.7);
  number(fsg, afterDay, to, 0.3);
  fsg.arc(from, afterThe, probability * 0.1, "the");
  ordinal(fsg, afterThe, dayFirst, 1);
  fsg.arc(dayFirst, to, 0.4);
  fsg.arc(dayFirst, afterOf, 0.6, "of");
  fsg.words(afterOf, to, 1, months);
};

function ordinal(fsg: FsgBuilder, from: number, to: number, probability: number): void {
  const afterTens = fsg.state();
  fsg.words(from, to, probability * 0.4, unitOrdinals);
  fsg.words(from, to, probability * 0.4, longOrdinals);
  fsg.words(from, afterTens, probability * 0.2, ["twenty", "thirty"]);
  fsg.words(afterTens, to, 1, unitOrdinals);
}

/** Any of the sentences, word for word. */
export function phraseNetwork(phrases: readonly (readonly string[])[]): Network {
  return (fsg, from, to, probability) => {
    for (const phrase of phrases) sequence(fsg, from, to, probability / phrases.length, phrase);
  };
}

export function sequence(
  fsg: FsgBuilder,
  from: number,
  to: number,
  probability: number,
  words: readonly string[],
): void {
  let at = from;
  for (const [index, word] of words.entries()) {
    const next = index === words.length - 1 ? to : fsg.state();
    fsg.arc(at, next, index === 0 ? probability : 1, word);
    at = next;
  }
}

export type LaySlot = (slot: SlotToken | ChoiceToken, from: number, to: number, probability: number) => void;

/** Positions with the same end share one copy of a network: a dozen sentences may end in a date. */
export function slotLayer(fsg: FsgBuilder, phrases: readonly (readonly string[])[]): LaySlot {
  const networks: Readonly<Record<Exclude<SlotName, "digits">, Network>> = {
    number,
    amount,
    date,
    phrase: phrases.length === 0 ? spelling : phraseNetwork(phrases),
  };
  const entries = new Map<string, number>();
  return (token, from, to, probability) => {
    const key = `${slotKey(token)} ${to}`;
    const known = entries.get(key);
    const entry = known ?? fsg.state();
    fsg.arc(from, entry, probability);
    if (known !== undefined) return;
    entries.set(key, entry);
    if (token.type === "choice") phraseNetwork(token.wordings)(fsg, entry, to, 1);
    else if (token.slot === "digits") awaitedDigits(fsg, entry, to, 1, { length: token.length });
    else networks[token.slot](fsg, entry, to, 1);
  };
}

/** No word is spelled like this. */
export function slotKey(token: SlotToken | ChoiceToken): string {
  if (token.type === "choice") return `{${token.name}:`;
  return `{${token.slot}${token.length === undefined ? "" : ` ${token.length}`}`;
}
