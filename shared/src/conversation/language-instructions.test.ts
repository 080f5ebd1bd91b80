import { expect, it } from "vitest";
import { languageInstructions } from "./language-instructions.ts";

it("[LANG-10] tells a model what to speak, unless it is English", () => {
  expect(languageInstructions("de-CH")).toContain("Speak Swiss High German with the caller");
  expect(languageInstructions("it-IT")).toContain("Speak Italian (Italy) with the caller");
  expect([languageInstructions("en-GB"), languageInstructions(undefined)]).toEqual(["", ""]);
});
