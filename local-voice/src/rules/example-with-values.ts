/** An example as a caller would say it, with a value in each slot's place. */
import type { Intent } from "./rules.ts";

const valueOfType = {
  digits: "four four one two",
  number: "five",
  amount: "fifty dollars",
  date: "yesterday",
  name: "jane doe",
  text: "",
};

export function exampleWithValues(example: string, { slots }: Intent): string {
  return example.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const slot = slots.find((candidate) => candidate.name === name);
    if (slot === undefined) return "";
    return slot.type === "choice" ? (Object.values(slot.options ?? {})[0]?.[0] ?? "") : valueOfType[slot.type];
  });
}
