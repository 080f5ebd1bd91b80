/** The English words for days and months, in the order in which JavaScript's dates count them. */

export const months = "january february march april may june july august september october november december".split(
  " ",
);
export const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
/** Days that have a name of their own, counted from today. */
export const nearDays: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tonight: 0, tomorrow: 1 };
/** Expressions for part of a day that also name the day, counted from today. */
export const partsOfDay: Readonly<Record<string, number>> = {
  "last night": -1,
  "this morning": 0,
  "this afternoon": 0,
  "this evening": 0,
};
