/** Spanish numbers: "mil doscientos treinta y cuatro". */
import { countedWords, numberReader } from "../spoken-numbers.ts";
import type { SpokenNumbers } from "../spoken-numbers.ts";
import { words } from "../turn-words.ts";

const belowThirty = words(
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve " +
    "veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
);
const tens = words("treinta cuarenta cincuenta sesenta setenta ochenta noventa");
const hundreds = words(
  "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
);

function below1000(value: number): string {
  if (value === 100) return "cien";
  if (value > 100) {
    const head = hundreds[Math.trunc(value / 100) - 1] ?? "";
    return value % 100 === 0 ? head : `${head} ${below1000(value % 100)}`;
  }
  if (value < 30) return belowThirty[value] ?? "";
  const ten = tens[Math.trunc(value / 10) - 3] ?? "";
  return value % 10 === 0 ? ten : `${ten} y ${belowThirty[value % 10]}`;
}

/** "uno" is shortened before the thing that is counted: "un euro", "veintiún mil". */
export function beforeNoun(counted: string): string {
  return counted.replace(/veintiuno$/, "veintiún").replace(/uno$/, "un");
}

function toWords(value: number): string {
  const whole = Math.trunc(value);
  if (whole < 0) return `menos ${toWords(-whole)}`;
  return countedWords(whole % 1_000_000_000_000, below1000, [
    { size: 1_000_000, name: (count, counted) => (count === 1 ? "un millón" : `${beforeNoun(counted)} millones`) },
    { size: 1000, name: (count, counted) => (count === 1 ? "mil" : `${beforeNoun(counted)} mil`) },
  ]);
}

function spellings(value: number): readonly string[] {
  const usual = below1000(value);
  const forms = [usual, beforeNoun(usual)];
  if (value > 1) forms.push(usual.replace(/uno$/, "una"), usual.replace(/cientos/, "cientas").replace(/uno$/, "una"));
  if (value === 100) forms.push("ciento");
  // On its own, the word is an article rather than a number.
  return [...new Set(forms)].filter((form) => form !== "un");
}

export const numbers: SpokenNumbers = {
  toWords,
  find: numberReader({
    spellings,
    thousand: "mil",
    beforeThousand: { un: 1 },
    isThousandAlone: true,
    repetitions: { doble: 2, triple: 3 },
  }),
};
