/** A list that people may write as its only item. A union would say no more of a mistake than "Invalid input". */
import { z } from "zod";

const mostItems = 1000;

export function oneOrMore<Item extends z.ZodType>(item: Item, expected: string) {
  const list = z.array(item, { error: expected }).min(1).max(mostItems);
  return z.preprocess((value) => (typeof value === "string" ? [value] : value), list);
}
