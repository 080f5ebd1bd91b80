import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["Thank you for calling.", 6],
    ["お電話ありがとう", 8],
  ])("%j is about %d", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
