import { describe, expect, it } from "vitest";
import { mayHoldMore, sizeOfJson } from "./json-size.ts";

describe("the size of a JSON text", () => {
  it.each([
    ['"text"', 0, 0],
    ["[]", 1, 1],
    ["[1, 2, 3]", 1, 3],
    ['{"a": 1, "b": {"c": [1, 2]}}', 3, 5],
    ['{"a": "{[,,,,]}"}', 1, 1],
    [String.raw`{"a": "\",,,", "b\\": 1}`, 1, 2],
    [String.raw`["\\\\", 1, "\\\"", 2]`, 1, 4],
    ['["not closed, , ,', 1, 1],
    ["]]]][[", 0, 2],
  ])("%s", (text, depth, values) => {
    expect(sizeOfJson(text)).toEqual({ depth, values });
  });

  it("is held against a limit", () => {
    expect(mayHoldMore("[1,2,3]", 3)).toBe(false);
    expect(mayHoldMore("[1,2,3]", 2)).toBe(true);
    expect(mayHoldMore(`["${",".repeat(1000)}"]`, 2)).toBe(false);
  });

  it("passes by strings of backslashes in no more than a look at each", () => {
    const text = `["${String.raw`\"`.repeat(100_000)}", 1]`;
    expect(sizeOfJson(text)).toEqual({ depth: 1, values: 2 });
  });
});
