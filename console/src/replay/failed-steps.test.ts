import { expect, it } from "vitest";

import { failedAt } from "./failed-steps.ts";

const silence = [{ type: "report-silence" }];

it.each([
  ["a reply that failed", { type: "reply-failed", turnId: "turn-1", failure: "model" }, [], true],
  ["a goodbye because nobody hears the caller", farewell({ code: "upstream_timeout" }), [], true],
  ["a goodbye because the host is restarted", farewell(undefined), [], false],
  ["a silence that was given up", { type: "timer", timer: "dead-air" }, silence, true],
  ["a silence while the caller speaks", { type: "timer", timer: "dead-air" }, [], false],
] as const)("[FLIGHT-6b] something failed at %s", (_what, event, recorded, isFailure) => {
  expect(failedAt({ event: { ...event, atMs: 0 }, recorded: [...recorded] })).toBe(isFailure);
});

function farewell(cause: { readonly code: string } | undefined) {
  return { type: "farewell-requested", reason: "draining", cause } as const;
}
