import { describe, expect, it } from "vitest";
import { SpokenItems } from "./spoken-items.ts";

function twoItems(): SpokenItems {
  const items = new SpokenItems();
  items.addAudio("a", 1000);
  items.setText("a", "one two");
  items.addAudio("b", 1000);
  items.setText("b", "three four");
  return items;
}

describe("spoken items", () => {
  it("[HIST-2] gives whole words, by equal time where the service tells none", () => {
    expect(twoItems().textHeard(450)).toBe("one");
    expect(twoItems().textHeard(1000)).toBe("one two");
    expect(twoItems().textHeard(1600)).toBe("one two three");
    expect(twoItems().textHeard(0)).toBe("");
  });

  it("[HIST-2] goes by the service's word times where there are any", () => {
    const items = new SpokenItems();
    items.addAudio("a", 1000);
    items.setText("a", "one two");
    items.addWord("a", "one", 800);
    items.addWord("a", "two", 1000);
    expect(items.textHeard(700)).toBe("");
    expect(items.textHeard(800)).toBe("one");
  });

  it("tells which items were not heard to their end", () => {
    expect(twoItems().cuts(1500.7)).toEqual([{ itemId: "b", heardMs: 500 }]);
    expect(twoItems().cuts(400)).toEqual([
      { itemId: "a", heardMs: 400 },
      { itemId: "b", heardMs: 0 },
    ]);
    expect(twoItems().cuts(2000)).toEqual([]);
  });
});
