/**
 * `npm run imports` guards the architecture; this guards the guard. Without a parser for this TypeScript a cruise is empty and
 * passes.
 */
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-config";
import { expect, it } from "vitest";

it("reads imports of values and of types, and reports those that a rule forbids", async () => {
  const { options } = await extractOptions("./.dependency-cruiser.mjs");
  const forbidden = [{ name: "no-shared", severity: "error", from: {}, to: { path: "^shared/" } }] as const;
  const { output } = await cruise(["provider-kit/src/ports"], {
    ...options,
    validate: true,
    ruleSet: { forbidden: [...forbidden] },
  });
  if (typeof output === "string") throw new Error("the cruise gave a report instead of a result");
  expect(output.summary.totalCruised).toBeGreaterThan(10);
  expect(output.summary.totalDependenciesCruised).toBeGreaterThan(10);
  expect(output.summary.violations).toContainEqual(
    expect.objectContaining({ from: "provider-kit/src/ports/language-model.ts", rule: expect.anything() }),
  );
});
