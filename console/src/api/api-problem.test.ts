import { describe, expect, it } from "vitest";

import { ApiProblem, describeProblem, UnreadableAnswer } from "./api-problem.ts";

const problem = (status: number, type: string, detail: string, retryAfter: string | null = null) =>
  new ApiProblem(status, { type, detail, status_code: status }, retryAfter);

describe("what went wrong", () => {
  it.each([
    ["an answer that nothing is known of", new ApiProblem(502, undefined), "status 502", "service’s log says why"],
    ["a refusal", problem(403, "forbidden", "This is for operators."), "This is for operators.", "Ask whoever runs"],
    ["a limit", problem(429, "rate_limited", "Too many. Try again later.", "12"), "Too many. It can", "again in 12 s"],
    ["a limit without a time", problem(429, "rate_limited", "Too many."), "Too many.", "Wait a moment"],
    ["a token that has ended", problem(401, "unauthorized", "The token has expired."), "expired", "Sign in again"],
    ["a timeout", Object.assign(new Error("slow"), { name: "TimeoutError" }), "not answered for 10 s", "Try again"],
    ["no answer", new TypeError("Failed to fetch"), "does not answer", "Check your network"],
    ["another version", new UnreadableAnswer(), "does not understand", "Reload the page"],
  ])("is said in words, with what to do: %s", (_what, error, what, toDo) => {
    const sentence = describeProblem(error, false);
    expect(sentence).toContain(what);
    expect(sentence).toContain(toDo);
  });

  it.each([
    ["the service is away", new TypeError("Failed to fetch"), "npm start"],
    ["the service has a defect", problem(500, "internal_error", "An unexpected error occurred."), "The terminal"],
    ["Redis is away", problem(503, "cache_connection_failed", "The state store is unavailable.", "5"), "CACHE_HOST"],
  ])("is said with its cause to who runs the service here: %s", (_what, error, cause) => {
    expect(describeProblem(error, true)).toContain(cause);
  });

  it("names the field of a value that does not fit", () => {
    const error = new ApiProblem(422, { detail: [{ loc: ["body", "voice", "rate"], msg: "Too fast", type: "x" }] });
    expect(describeProblem(error, true)).toBe("voice.rate: Too fast. Change that, and try again.");
  });

  it("leaves out which request a program should make", () => {
    const error = problem(404, "not_found", "There is no such agent: GET /agents lists them.");
    expect(describeProblem(error, true)).toBe("There is no such agent.");
  });

  it("says how a phone number is written", () => {
    const pattern = String.raw`String should match pattern '^\+[1-9]\d{1,14}$'`;
    const error = new ApiProblem(422, { detail: [{ loc: ["body", "target_number"], msg: pattern, type: "x" }] });
    expect(describeProblem(error, true)).toContain("such as +12025550123");
  });
});
