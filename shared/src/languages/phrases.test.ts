import { describe, expect, it } from "vitest";
import { consistOf } from "./phrases.ts";

const phrases = new Set(["yeah", "okay", "i see", "i", "all right"]);
const isMadeOfThem = (text: string): boolean => consistOf(text.split(" ").filter(Boolean), phrases);

describe("phrases of a list", () => {
  it("are recognised one after another", () => {
    for (const text of ["yeah", "yeah okay", "okay i see", "i see yeah all right"])
      expect(isMadeOfThem(text)).toBe(true);
  });

  it("are nothing else", () => {
    for (const text of ["", "see", "yeah but", "okay all", "right okay"]) expect(isMadeOfThem(text)).toBe(false);
  });

  it("are no more than three at a time", () => {
    expect(isMadeOfThem("yeah yeah yeah")).toBe(true);
    expect(isMadeOfThem("yeah yeah yeah yeah")).toBe(false);
  });
});
