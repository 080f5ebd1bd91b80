import { describe, expect, it } from "vitest";
import { SpokenItems } from "./spoken-items.ts";

function twoItems(): SpokenItems<string> {
  const items = new SpokenItems("desk");
  items.addAudio("a", 1000);
  items.setText("a", "one two");
  items.addAudio("b", 1000);
  items.setText("b", "three four");
  return items;
}

describe("spoken items", () => {
  it("[HIST-2] gives whole words, by equal time where the service tells none", () => {
    expect(twoItems().heard(450)).toEqual([{ speaker: "desk", text: "one" }]);
    expect(twoItems().heard(1000)).toEqual([{ speaker: "desk", text: "one two" }]);
    expect(twoItems().heard(1600)).toEqual([{ speaker: "desk", text: "one two three" }]);
    expect(twoItems().heard(0)).toEqual([{ speaker: "desk", text: "" }]);
  });

  it("[HIST-2] goes by the service's word times where there are any", () => {
    const items = new SpokenItems("desk");
    items.addAudio("a", 1000);
    items.setText("a", "one two");
    items.addWord("a", "one", 800);
    items.addWord("a", "two", 1000);
    expect(items.heard(700)).toEqual([{ speaker: "desk", text: "" }]);
    expect(items.heard(800)).toEqual([{ speaker: "desk", text: "one" }]);
  });

  it("tells which items were not heard to their end", () => {
    expect(twoItems().cuts(1500.7)).toEqual([{ itemId: "b", heardMs: 500, heard: "three" }]);
    expect(twoItems().cuts(400)).toEqual([
      { itemId: "a", heardMs: 400, heard: "" },
      { itemId: "b", heardMs: 0, heard: "" },
    ]);
    expect(twoItems().cuts(2000)).toEqual([]);
  });

  it("[RT-45] are to be forgotten of which only the text has come, whenever the caller begins to speak", () => {
    const early = new SpokenItems("desk");
    early.addText("a", "One two");
    expect(early.cuts(0)).toEqual([{ itemId: "a", heardMs: 0, heard: "" }]);
    const items = twoItems();
    items.addText("c", "four");
    expect(items.cuts(2000)).toEqual([{ itemId: "c", heardMs: 0, heard: "" }]);
  });
});
