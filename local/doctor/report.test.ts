import { expect, it } from "vitest";
import { toJson, toLines } from "./report.ts";

const findings = [
  { name: "settings", ok: true, detail: "complete for development", tookMs: 0 },
  { name: "Redis", ok: false, detail: "WRONGPASS", advice: "compare CACHE_PASSWORD", tookMs: 12 },
];

it("gives each check a line, and what is wrong a second one that says what to do", () => {
  expect(toLines(findings).split("\n")).toEqual([
    "ok     settings  complete for development (0 ms)",
    "WRONG  Redis     WRONGPASS (12 ms)",
    "                 → compare CACHE_PASSWORD",
    "",
    "1 of 2 checks found something wrong.",
  ]);
});

it("says the same to programs", () => {
  expect(JSON.parse(toJson(findings))).toEqual({ ok: false, checks: findings });
});
