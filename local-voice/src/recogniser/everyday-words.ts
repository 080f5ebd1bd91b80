/** Words that callers may say to any agent: letters, money, days, and words that steer a conversation. */
import { teenOrdinals, tensOrdinals } from "@voice/shared/languages/en/numerals";
import { shortAnswers } from "../spoken-english/yes-no.ts";

export const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
export const currencies = ["dollars", "dollar", "bucks", "euros", "pounds"];
export const relativeDays = ["today", "tomorrow", "yesterday"];
export const otherDays = ["last night", "this morning", "the day before yesterday", "a week ago"].map((words) =>
  words.split(" "),
);
/** The ordinals for days of the month that are single words. */
export const longOrdinals = [...teenOrdinals, ...tensOrdinals.slice(0, 2)];

/** Recognised by every agent without being listed in its examples. */
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

/**
 * The most probable meanings of a short sound after a yes-or-no question. More words would fit other sounds, too: "six" is like "thanks".
 */
export const plainAnswers = ["yes", "yeah", "no"];

/** What people say around their actual request. */
export const openers = ["um", "uh", "well", "okay", "hi", "hello"];
export const closers = ["please", "thanks", "now"];
/** Joins two requests in one sentence. */
export const joint = "and";
/** What may follow the joint, and only there. */
export const afterJoint = ["also", "then"];
