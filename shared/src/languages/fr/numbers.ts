/** French numbers as in France; the forms of Belgium and Switzerland ("septante", "nonante") are understood as well. */
import { countedWords, numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import { words } from "../turn-words.ts";

const belowSeventeen = words(
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
);
const tens = words("vingt trente quarante cinquante soixante");

function below100(value: number): string {
  if (value < 17) return belowSeventeen[value] ?? "";
  if (value < 20) return `dix-${belowSeventeen[value - 10]}`;
  if (value === 80) return "quatre-vingts";
  if (value > 80) return `quatre-vingt-${below100(value - 80)}`;
  const ten = Math.min(Math.trunc(value / 10), 6);
  const name = tens[ten - 2] ?? "";
  const rest = value - ten * 10;
  if (rest === 0) return name;
  return rest === 1 || rest === 11 ? `${name} et ${below100(rest)}` : `${name}-${below100(rest)}`;
}

function below1000(value: number): string {
  const hundreds = Math.trunc(value / 100);
  if (hundreds === 0) return below100(value);
  const rest = value % 100;
  const head = hundreds === 1 ? "cent" : `${below100(hundreds)} cent`;
  if (rest === 0) return hundreds === 1 ? head : `${head}s`;
  return `${head} ${below100(rest)}`;
}

/** Before "mille", neither "vingt" nor "cent" takes an s. */
function beforeThousand(value: number): string {
  return below1000(value).replace(/(vingt|cent)s$/, "$1");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `moins ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000_000, name: (count, counted) => `${counted} milliard${count === 1 ? "" : "s"}` },
    { size: 1_000_000, name: (count, counted) => `${counted} million${count === 1 ? "" : "s"}` },
    { size: 1000, name: (count) => (count === 1 ? "mille" : `${beforeThousand(count)} mille`) },
  ]);
}

/** "septante", "huitante" or "octante", "nonante". */
const others: readonly (readonly [number, string])[] = [
  [70, "septante"],
  [80, "huitante"],
  [80, "octante"],
  [90, "nonante"],
];

function spellings(value: number): readonly string[] {
  const usual = below1000(value);
  const hundreds = value < 100 ? "" : `${below1000(value - (value % 100)).replace(/s$/, "")} `;
  const last = value % 100;
  const regional = others
    .filter(([ten]) => last >= ten && last < ten + 10)
    .map(([ten, name]) => {
      const unit = last - ten;
      const ending = unit === 0 ? "" : ` ${unit === 1 ? "et " : ""}${below100(unit)}`;
      return `${hundreds}${name}${ending}`;
    });
  const forms = [usual, beforeThousand(value), ...regional];
  return [...new Set(forms.map((form) => form.replaceAll("-", " ")))];
}

export const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "mille",
    isThousandAlone: true,
    repetitions: { double: 2, triple: 3 },
  }),
};
