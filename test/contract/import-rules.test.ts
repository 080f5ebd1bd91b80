/** The import rules guard the architecture; this guards the guard. Without a parser for this TypeScript a cruise is empty and passes. */
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-config";
import { expect, it } from "vitest";

it("cruises the whole tree and finds every rule kept", async () => {
  const { forbidden, options } = await extractOptions("./.dependency-cruiser.mjs");
  const { output } = await cruise(
    ["shared/src", "streaming-host/src", "functions/src", "console/src", "local", "test"],
    {
      ...options,
      validate: true,
      ruleSet: { forbidden: forbidden ?? [] },
    },
  );
  if (typeof output === "string") throw new Error("the cruise gave a report instead of a result");
  expect(output.summary.violations).toEqual([]);
  expect(output.summary.totalCruised).toBeGreaterThan(300);
  expect(output.summary.totalDependenciesCruised).toBeGreaterThan(1000);
});
