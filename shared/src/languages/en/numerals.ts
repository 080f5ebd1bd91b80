/** The English words for numbers, shared by all code that reads, says or listens for them. */

export const units = "one two three four five six seven eight nine".split(" ");
export const teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
export const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** Both words for 0 that are used in a code. */
export const zeros = ["zero", "oh"];
/** The words for the digits of a code. */
export const spokenDigits = [...zeros, ...units];
/** Largest first; each is multiplied by a number up to 999. */
export const scales = [
  ["billion", 1_000_000_000],
  ["million", 1_000_000],
  ["thousand", 1000],
] as const;
/** Words that repeat the digit behind them: "double two". */
export const repetitions = [
  ["double", 2],
  ["triple", 3],
] as const;

export const unitOrdinals = "first second third fourth fifth sixth seventh eighth ninth".split(" ");
export const teenOrdinals =
  "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(" ");
export const tensOrdinals = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth".split(" ");
