import { describe, expect, it } from "vitest";
import { spokenParts } from "./spoken-parts.ts";

const segments = [
  { agent: "desk", textStart: 0 },
  { agent: "cards", textStart: 12 },
];

describe("spoken parts", () => {
  it("gives each agent its own words", () => {
    expect(spokenParts("One moment. Hello from cards.", segments)).toEqual([
      { agent: "desk", text: "One moment." },
      { agent: "cards", text: "Hello from cards." },
    ]);
  });

  it("[HIST-3] leaves out an agent that nobody heard", () => {
    expect(spokenParts("One", segments)).toEqual([{ agent: "desk", text: "One" }]);
    expect(spokenParts("", segments)).toEqual([]);
  });
});
