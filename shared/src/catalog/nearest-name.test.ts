import { expect, it } from "vitest";
import { didYouMean, nearestName } from "./nearest-name.ts";

const keys = ["description", "greeting", "return_greeting", "tools", "voice", "speech"];

it.each([
  ["greting", "greeting"],
  ["tool", "tools"],
  ["vioce", "voice"],
  ["Greeting", "greeting"],
  ["return-greeting", "return_greeting"],
])("takes %s for %s", (written, meant) => {
  expect(nearestName(written, keys)).toBe(meant);
});

it("suggests nothing where no name is near, because a wrong guess costs more time than none", () => {
  for (const written of ["temperature", "x", "t", "voices_of_all"]) expect(nearestName(written, keys)).toBeUndefined();
  expect(didYouMean("temperature", keys)).toBe("");
});

it("takes the nearest of several", () => {
  expect(didYouMean("end_cal", ["send_call", "end_call", "end_cold"])).toBe(' (did you mean "end_call"?)');
});

it("takes every single mistake for the name, whichever letter it is", () => {
  const name = "return_greeting";
  for (let at = 0; at < name.length; at++) {
    const [before, after] = [name.slice(0, at), name.slice(at)];
    const exchanged = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
    for (const written of [`${before}q${after}`, before + after.slice(1), `${before}Q${after.slice(1)}`, exchanged])
      expect(nearestName(written, keys, 1)).toBe(name);
  }
});
