/** Words that any caller may need, whatever the agent: digits, numbers, dates, letters, and what steers a conversation. */

export const digits = "zero oh one two three four five six seven eight nine".split(" ");
export const units = "one two three four five six seven eight nine".split(" ");
export const teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
export const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
export const letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z".split(" ");
export const currencies = ["dollars", "dollar", "bucks", "euros", "pounds"];
export const months = "january february march april may june july august september october november december".split(
  " ",
);
export const weekdays = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
export const relativeDays = ["today", "tomorrow", "yesterday"];
export const otherDays = ["last night", "this morning", "the day before yesterday", "a week ago"].map((words) =>
  words.split(" "),
);
export const unitOrdinals = "first second third fourth fifth sixth seventh eighth ninth".split(" ");
export const otherOrdinals =
  "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth".split(
    " ",
  );

/** Understood by every agent without being listed in its examples. Not "yep" and "nope": noise sounds like the one, "no" like the other. */
export const steering = [
  "yes",
  "yes please",
  "yeah",
  "no",
  "no thanks",
  "no thank you",
  "okay",
  "sure",
  "correct",
  "that is right",
  "that's right",
  "that is wrong",
  "stop",
  "wait",
  "hold on",
  "help",
  "repeat",
  "repeat that",
  "say that again",
  "cancel",
  "goodbye",
  "bye",
  "thank you",
  "thanks",
  "hello",
  "hi",
] as const;

/** What people say before and after what they came to say. */
export const openers = ["um", "uh", "well", "okay", "hi", "hello"];
export const closers = ["please", "thanks", "now"];

/** 0 to 999,999 as it is said; `1984` written in an example is a number, not a year. */
export function numberInWords(value: number): string[] {
  if (value >= 1_000) return [...numberInWords(Math.floor(value / 1_000)), "thousand", ...rest(value % 1_000)];
  if (value >= 100) return [units[Math.floor(value / 100) - 1] ?? "", "hundred", ...rest(value % 100)];
  if (value >= 20) return [tens[Math.floor(value / 10) - 2] ?? "", ...rest(value % 10)];
  if (value >= 10) return [teens[value - 10] ?? ""];
  return [digits[value === 0 ? 0 : value + 1] ?? ""];
}

function rest(value: number): string[] {
  return value === 0 ? [] : numberInWords(value);
}
