import { expect, it } from "vitest";
import { RefusedValues } from "./refused-values.ts";

it("remembers a refused value of a setting, and takes no other value away", () => {
  const refused = new RefusedValues<"effort" | "limit">();
  refused.add("effort", "xhigh");
  expect(refused.has("effort", "xhigh")).toBe(true);
  expect(refused.has("effort", "low")).toBe(false);
  expect(refused.has("limit", "xhigh")).toBe(false);
});

it("remembers that a setting is not known, for every value of it", () => {
  const refused = new RefusedValues<"effort">();
  refused.addName("effort");
  expect(refused.has("effort", "low")).toBe(true);
});

it("forgets what has not been asked for the longest, however much is refused", () => {
  const refused = new RefusedValues<"phrases" | "effort">();
  const phrases = (of: number) => [String(of).repeat(1_000)];
  refused.addName("effort");
  for (let list = 0; list < 200; list += 1) {
    refused.add("phrases", phrases(list));
    refused.has("effort", "low");
  }
  expect(refused.has("phrases", phrases(0))).toBe(false);
  expect(refused.has("phrases", phrases(199))).toBe(true);
  expect(refused.has("effort", "low")).toBe(true);
});
