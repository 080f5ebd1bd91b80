/** Words that any caller may need, whatever the agent: letters, money, days, and what steers a conversation. */
import { teenOrdinals, tensOrdinals } from "@voice/shared/languages/en/numerals";
import { shortAnswers } from "../spoken-english/yes-no.ts";

export const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
export const currencies = ["dollars", "dollar", "bucks", "euros", "pounds"];
export const relativeDays = ["today", "tomorrow", "yesterday"];
export const otherDays = ["last night", "this morning", "the day before yesterday", "a week ago"].map((words) =>
  words.split(" "),
);
/** Those of a day of the month that are not made of two words. */
export const longOrdinals = [...teenOrdinals, ...tensOrdinals.slice(0, 2)];

/** Understood by every agent without being listed in its examples. */
export const steering = [
  ...shortAnswers,
  "stop",
  "wait",
  "hold on",
  "help",
  "repeat",
  "repeat that",
  "say that again",
  "goodbye",
  "bye",
  "thank you",
  "thanks",
  "hello",
  "hi",
];

/** What people say before and after what they came to say. */
export const openers = ["um", "uh", "well", "okay", "hi", "hello"];
export const closers = ["please", "thanks", "now"];
