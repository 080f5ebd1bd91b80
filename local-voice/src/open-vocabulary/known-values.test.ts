import { describe, expect, it } from "vitest";
import { knownValuesOf } from "./known-values.ts";

const known = knownValuesOf([
  "can i get a {order.roast: light roast | dark roast} {order.drink: coffee | iced coffee | americano | cappuccino} with {order.milk: milk | skim milk | almond milk}",
  "what time is it",
]);

const read = (text: string): readonly string[] => known.read(text).values.map(({ wording }) => wording);

describe("the values of an agent in open words", () => {
  it("are found as they are written", () => {
    expect(known.read("Can I get a dark-roast americano with skim milk?")).toMatchObject({
      text: "can i get a dark roast americano with skim milk",
      values: [
        { choice: "order.roast", wording: "dark roast", likeness: 1 },
        { choice: "order.drink", wording: "americano", likeness: 1 },
        { choice: "order.milk", wording: "skim milk", likeness: 1 },
      ],
      unknown: [],
    });
  });

  it.each([
    ["Can I get a light rose of merricano?", ["light roast", "americano"]],
    ["May I have a cup of china with skin milk?", ["cappuccino", "skim milk"]],
    ["an ice coffee with almon milk", ["iced coffee", "almond milk"]],
  ])("are found where they sound like other words: %s [EAR-60]", (text, values) => {
    expect(read(text)).toEqual(values);
  });

  it("are as long as what was said: almond milk is not milk", () => {
    expect(read("coffee with milk")).toEqual(["coffee", "milk"]);
    expect(read("coffee with almond milk")).toEqual(["coffee", "almond milk"]);
  });

  it("are not found in what somebody says about something else", () => {
    expect(known.read("I have not seen my brother since last summer.").values).toEqual([]);
    expect(known.read("I have not seen my brother since last summer.").unknown).toContain("brother");
  });

  it("stand beside a word that may be a part of another value [EAR-61]", () => {
    const beside = (text: string) => known.read(text).values.map(({ isBesideUnknown }) => isBesideUnknown);
    expect(beside("a coffee with involvement milk")).toEqual([false, true]);
    expect(beside("a coffee, sir, with milk")).toEqual([true, false]);
    expect(beside("a coffee with milk please")).toEqual([false, false]);
  });

  it("are not sought by their sound in a whole story", () => {
    expect(read("and then we went home ".repeat(40))).toEqual([]);
  });
});
