import { ConfigurationError } from "@voice/shared/config/configuration-error";
import { VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { createCompositionLog } from "./composition-log.ts";

function start() {
  const lines: (readonly [level: string, fields: object])[] = [];
  const logger = {
    error: (fields: object) => void lines.push(["error", fields]),
    info: (fields: object) => void lines.push(["info", fields]),
  };
  const log = createCompositionLog();
  return { lines, fail: (error: unknown) => log.failed(logger, error), work: () => log.worked(logger) };
}

const misspelt = () => new ConfigurationError(["LOG_LEVEL is not a level"]);
const away = () => new VoiceError("upstream_unavailable", "the store is away");

describe("the log of a composition that fails", () => {
  it("has one line with every problem, however many requests try", () => {
    const { lines, fail } = start();
    for (let request = 0; request < 100; request++) fail(misspelt());
    expect(lines).toEqual([["error", { problems: ["LOG_LEVEL is not a level"] }]]);
  });

  it("has one line for a failure that comes by two ways", () => {
    const { lines, fail } = start();
    fail(away());
    fail(Object.assign(away(), { stack: "Error: the store is away\n    at elsewhere (file.js:1:1)" }));
    expect(lines).toHaveLength(1);
  });

  it("has a line when the reason changes, and one with the number of requests when it is over", () => {
    const { lines, fail, work } = start();
    fail(misspelt());
    const other = away();
    fail(other);
    work();
    work();
    fail(misspelt());
    expect(lines).toEqual([
      ["error", { problems: ["LOG_LEVEL is not a level"] }],
      ["error", { error: other }],
      ["info", { requests: 2 }],
      ["error", { problems: ["LOG_LEVEL is not a level"] }],
    ]);
  });
});
