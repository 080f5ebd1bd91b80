/**
 * The sentences a recogniser's grammar is built from: every example with its `{slot}` spoken out, the bare answers to
 * slot questions, and yes and no where something is confirmed. A bigram grammar knows only pairs of words that it has
 * seen, so the digits below contain every pair.
 */
import { numberToWords, ordinalToWords } from "./spoken.ts";
import type { AgentRules, Intent, Slot } from "./rules.ts";

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;
const digitWords = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh"];
const monthNames = "january february march april may june july august september october november december".split(" ");
const weekdays = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const firstNames = "alex anna david emma james john linda maria michael robert sarah thomas".split(" ");
const lastNames = "brown davis garcia johnson jones lee martin miller morgan smith taylor wilson".split(" ");
const confirmations = [
  "yes",
  "yes please",
  "yes do it",
  "yes that is right",
  "yeah",
  "sure",
  "correct",
  "go ahead",
  "that is correct",
  "no",
  "no thanks",
  "no thank you",
  "no do not",
  "not now",
  "cancel",
];

export function spokenExamples(own: readonly string[], rules: AgentRules): readonly string[] {
  const sentences = new Set(own);
  for (const intent of rules.intents) {
    for (const example of intent.examples)
      for (const sentence of expand(example, intent)) if (sentence !== "") sentences.add(sentence);
    for (const slot of intent.slots) {
      if (slot.ask === undefined) continue;
      for (const answer of slotAnswers(slot)) sentences.add(answer);
      for (const answer of slot.answers ?? []) for (const sentence of expand(answer, intent)) sentences.add(sentence);
    }
  }
  if (rules.intents.some((intent) => intent.confirm !== undefined))
    for (const answer of confirmations) sentences.add(answer);
  return [...sentences];
}

/** Two choices in one sentence are written out in full up to here: a fire in the car is none in the house. */
const maxCombinations = 300;

/** Every combination of choices; of the other slots, which take turns beside them, one sentence per value. */
function expand(example: string, intent: Intent): readonly string[] {
  const names = new Set(Array.from(example.matchAll(placeholder), (match) => match[1]));
  const slots = intent.slots.filter((slot) => names.has(slot.name));
  const values = new Map(slots.map((slot) => [slot.name, openings(slot)]));
  const choices = slots.filter(({ type }) => type === "choice").map(({ name }) => values.get(name)?.length ?? 1);
  const combinations = choices.reduce((product, length) => product * length, 1);
  const longest = Math.max(1, ...[...values.values()].map((list) => list.length));
  const count = combinations <= maxCombinations ? Math.max(combinations, longest) : longest;
  return Array.from({ length: count }, (_, index) => {
    // Mixed radix over the choices: the first runs through its values while the second keeps one, and so on.
    let rest = index;
    return example.replaceAll(placeholder, (_whole, name: string) => {
      const list = values.get(name) ?? [];
      const isChoice = slots.some((slot) => slot.name === name && slot.type === "choice");
      const at = (isChoice && combinations <= maxCombinations ? rest : index) % list.length;
      if (isChoice) rest = Math.floor(rest / list.length);
      return list[at] ?? "";
    });
  }).map((sentence) => sentence.replaceAll(/\s+/g, " ").trim());
}

/** Enough values to meet every word that a value can begin with; the bare answers have the rest. */
function openings(slot: Slot): readonly string[] {
  if (slot.type === "date")
    return [
      "today",
      "yesterday",
      "tomorrow",
      "last monday",
      "next monday",
      ...weekdays,
      ...monthNames.map((month) => `${month} first`),
    ];
  if (slot.type !== "digits") return slotAnswers(slot);
  return digitWords.map((_, first) =>
    Array.from({ length: slot.length ?? 4 }, (_unused, at) => digitWords[(first + at * 3) % digitWords.length]).join(
      " ",
    ),
  );
}

function slotAnswers(slot: Slot): readonly string[] {
  switch (slot.type) {
    case "digits":
      return digitPairSentences;
    case "number":
      return numberSentences;
    case "amount":
      return [...numberSentences.map((words) => `${words} dollars`), "one dollar", "twelve dollars and fifty cents"];
    case "date":
      return dateSentences();
    case "name":
      return firstNames.flatMap((first, index) => [
        `${first} ${lastNames[index]}`,
        `${first} ${lastNames[(index + 5) % lastNames.length]}`,
      ]);
    case "choice":
      return Object.values(slot.options ?? {}).flat();
    case "text":
      return [];
    default:
      return slot.type satisfies never;
  }
}

/** For each distance, walk round the circle of digits: together the walks contain every ordered pair. */
const digitPairSentences: readonly string[] = digitWords.map((_, step) =>
  step === 0
    ? digitWords.flatMap((word) => [word, word]).join(" ")
    : Array.from({ length: digitWords.length + 1 }, (_unused, at) => digitWords[(at * step) % digitWords.length]).join(
        " ",
      ),
);

const numberSentences: readonly string[] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 21, 25, 30, 32, 35, 40, 43, 45, 50, 54, 60, 65, 70, 76, 80, 87, 90, 98,
  99, 100, 120, 150, 200, 250, 300, 400, 500, 600, 700, 750, 800, 900, 1000, 1500, 2000, 5000, 10_000,
].map(numberToWords);

function dateSentences(): readonly string[] {
  const days = Array.from({ length: 31 }, (_, index) => ordinalToWords(index + 1));
  return [
    "today",
    "yesterday",
    "tomorrow",
    ...weekdays.flatMap((day) => [day, `on ${day}`, `last ${day}`, `next ${day}`]),
    ...monthNames.flatMap((month) => days.map((day) => `${month} ${day}`)),
  ];
}
