import { expect, it } from "vitest";
import { positionIn } from "./template-positions.ts";

it("finds the row and the column of every character, in whatever order they are asked for", () => {
  const text = "ab\n\ncde\n";
  const counted: [number, number][] = [];
  let [row, column] = [1, 1];
  for (const character of text) {
    counted.push([row, column]);
    [row, column] = character === "\n" ? [row + 1, 1] : [row, column + 1];
  }
  counted.push([row, column]);
  for (const at of [8, 0, 3, 2, 7, 1, 4, 6, 5]) expect(positionIn(text, at)).toEqual(counted[at]);
  expect(positionIn("x", 0)).toEqual([1, 1]);
});
