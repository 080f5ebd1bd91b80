import { APIError } from "openai";
import { describe, expect, it } from "vitest";
import { toUpstreamError } from "./errors.ts";

const reasonOf = (status: number | undefined, code: string, type?: string): string | undefined =>
  toUpstreamError(new APIError(status, { code, type, message: "Ada" }, "Ada", new Headers()), "the language model")
    .reason;

describe("[MODEL-42] the reason of a model's failure", () => {
  it("tells an account without quota, for which nobody need wait, from limits that pass", () => {
    const unpaid = "the language model's endpoint answered 429: its account has no quota or credit left";
    expect(reasonOf(429, "insufficient_quota")).toBe(unpaid);
    expect(reasonOf(429, "billing", "insufficient_quota")).toBe(unpaid);
    expect(reasonOf(429, "rate_limit_exceeded")).toBe(
      "the language model's endpoint answered 429: more is asked of it than its limits allow",
    );
  });

  it("tells them apart within an answer, too", () => {
    expect(reasonOf(undefined, "insufficient_quota")).toMatch(/within its answer: its account has no quota/);
    expect(reasonOf(undefined, "rate_limit_exceeded")).toMatch(/within its answer: more is asked of it/);
    expect(reasonOf(undefined, "server_error")).toMatch(/within its answer$/);
  });
});
