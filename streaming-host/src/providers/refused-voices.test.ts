import { expect, it } from "vitest";
import { RefusedVoices } from "./refused-voices.ts";

it("A refused voice is remembered as it was asked for, and its name asked for otherwise is another", () => {
  const refused = new RefusedVoices();
  refused.add({ name: "brand" });
  expect(refused.has({ name: "brand" })).toBe(true);
  expect(refused.has({ name: "brand", endpointId: "custom" })).toBe(false);
  expect(refused.has({ name: "brand", rate: "+90%" })).toBe(false);
});

it("Refused voices are forgotten when there are too many, the oldest first", () => {
  const refused = new RefusedVoices();
  const names = Array.from({ length: 1000 }, (_, index) => `${"v".repeat(120)}${index}`);
  for (const name of names) refused.add({ name });
  expect(refused.has({ name: names[0] ?? "" })).toBe(false);
  expect(refused.has({ name: names.at(-1) ?? "" })).toBe(true);
});
