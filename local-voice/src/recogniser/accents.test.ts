import { describe, expect, it } from "vitest";
import { accentedPronunciations } from "./accents.ts";

describe("how words are said elsewhere", () => {
  it.each([
    ["more", "M AO R", "M AO"],
    ["nearly", "N IH R L IY", "N IH AH L IY"],
    ["there", "DH EH R", "DH EH AH"],
  ])("leaves out the R in %s", (_, usual, accented) => {
    expect(accentedPronunciations(usual)[0]).toEqual(accented);
  });

  it.each([
    ["recent", "R IY S EH N T"],
    ["very", "V EH R IY"],
    ["hurry", "HH ER IY"],
  ])("keeps %s as it is", (_, usual) => {
    expect(accentedPronunciations(usual)).toEqual([]);
  });

  it.each([
    ["card", "K AA R D", ["K AA D", "K AO D"]],
    ["glass", "G L AE S", ["G L AA S"]],
    ["block", "B L AA K", ["B L AO K"]],
    ["number", "N AH M B ER", ["N AH M B AH", "N UH M B UH"]],
    ["transfer's", "T R AE N S F AH Z", ["T R AA N S F AH Z", "T R AA N S F UH Z"]],
  ])("has other vowels in %s, together with the missing R", (_, usual, accented) => {
    expect(accentedPronunciations(usual)).toEqual(accented);
  });
});
