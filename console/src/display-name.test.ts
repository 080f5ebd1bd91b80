import { expect, it } from "vitest";

import { displayName } from "./display-name.ts";

it.each([
  ["front_desk", "Front desk"],
  ["FraudAgent", "Fraud agent"],
  ["claims-desk", "Claims desk"],
  ["banking", "Banking"],
])("writes %s as %s", (name, shown) => {
  expect(displayName(name)).toBe(shown);
});
