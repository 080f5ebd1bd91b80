import { describe, expect, it } from "vitest";
import { parseByteRange } from "./byte-range.ts";

describe("a range of bytes", () => {
  it.each([
    ["bytes=0-", { start: 0, end: 100 }],
    ["bytes=0-0", { start: 0, end: 1 }],
    ["bytes=10-19", { start: 10, end: 20 }],
    ["bytes=10-500", { start: 10, end: 100 }],
    ["bytes=-5", { start: 95, end: 100 }],
    ["bytes=-500", { start: 0, end: 100 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    [undefined, "whole"],
    ["bytes=-", "whole"],
    ["bytes=9-5", "whole"],
    ["bytes=0-1,5-6", "whole"],
    ["items=0-1", "whole"],
    ["bytes=0x1-2", "whole"],
  ])("[REC-8] %s of 100 is %o", (header, range) => {
    expect(parseByteRange(header, 100)).toEqual(range);
  });
});
