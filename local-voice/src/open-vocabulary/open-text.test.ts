import { expect, it } from "vitest";
import { normaliseOpenText } from "./open-text.ts";

it.each([
  ["Thanks, that is all, good-by.", "Thanks, that is all, goodbye."],
  ["Good bye!", "goodbye!"],
  ["Send it by e-mail at 9 a.m.", "Send it by email at 9 am"],
])("%s is spelled as in the examples of agents", (written, usual) => {
  expect(normaliseOpenText(written)).toBe(usual);
});

it("what is repeated again and again was said once [EAR-63]", () => {
  const loop =
    "Can I get a 16 ounce triple shot coffee with 16 ounce triple shot coffee with 16 ounce triple shot coffee with 16 oun";
  expect(normaliseOpenText(loop)).toBe("Can I get a 16 ounce triple shot coffee with");
  expect(normaliseOpenText("No, no, no, that is not it.")).toBe("No, no, no, that is not it.");
});
