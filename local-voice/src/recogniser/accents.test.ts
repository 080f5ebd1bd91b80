import { describe, expect, it } from "vitest";
import { accentedPronunciations } from "./accents.ts";

describe("how words are said elsewhere", () => {
  it.each([
    ["card", "K AA R D", "K AA D"],
    ["more", "M AO R", "M AO"],
    ["nearly", "N IH R L IY", "N IH AH L IY"],
    ["there", "DH EH R", "DH EH AH"],
    ["person", "P ER S AH N", "P AH S AH N"],
    ["number", "N AH M B ER", "N AH M B AH"],
  ])("leaves out the R in %s", (_, usual, accented) => {
    expect(accentedPronunciations(usual)).toEqual([accented]);
  });

  it.each([
    ["account", "AH K AW N T"],
    ["recent", "R IY S AH N T"],
    ["very", "V EH R IY"],
    ["hurry", "HH ER IY"],
    ["transfer's", "T R AE N S F AH Z"],
  ])("keeps %s as it is", (_, usual) => {
    expect(accentedPronunciations(usual)).toEqual([]);
  });
});
