import { describe, expect, it } from "vitest";
import { addTokens, emptyTokenAccount, estimateTokens, turnTokens } from "./token-usage.ts";

const entry = { turnId: "turn-1", agent: "desk", model: "gpt", inputTokens: 100, outputTokens: 20, estimated: false };

describe("a token account", () => {
  it("adds up by turn, agent and model", () => {
    const account = [
      entry,
      { ...entry, agent: "card", inputTokens: 50, outputTokens: 5 },
      { ...entry, turnId: "turn-2", model: "local", estimated: true },
    ].reduce(addTokens, emptyTokenAccount);
    expect(account.total).toEqual({ inputTokens: 250, outputTokens: 45, requests: 3, estimated: true });
    expect(turnTokens(account, "turn-1")).toEqual({
      inputTokens: 150,
      outputTokens: 25,
      requests: 2,
      estimated: false,
    });
    expect(account.byAgent.get("desk")?.requests).toBe(2);
    expect(account.byModel.get("local")?.estimated).toBe(true);
    expect(turnTokens(account, "turn-9")).toEqual({ inputTokens: 0, outputTokens: 0, requests: 0, estimated: false });
  });

  it("changes nothing in the account before", () => {
    const before = addTokens(emptyTokenAccount, entry);
    addTokens(before, entry);
    expect(before.total.requests).toBe(1);
    expect(emptyTokenAccount.byTurn.size).toBe(0);
  });
});

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["Thank you for calling.", 6],
    ["お電話ありがとう", 8],
  ])("%j is about %d", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
