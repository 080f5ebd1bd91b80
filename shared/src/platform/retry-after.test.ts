import { expect, it } from "vitest";
import { retryAfterSeconds } from "./retry-after.ts";

it("is what the error asks for, in whole seconds that are never too few", () => {
  expect(retryAfterSeconds("rate_limited", 1001)).toBe(2);
  expect(retryAfterSeconds("rate_limited", 3000)).toBe(3);
  expect(retryAfterSeconds("rate_limited", 0)).toBe(1);
});

it("is what lies behind the error where that asks for nothing", () => {
  expect(retryAfterSeconds("cache_connection_failed")).toBe(2);
  expect(retryAfterSeconds("rate_limited")).toBe(10);
  expect(retryAfterSeconds("internal_error")).toBe(5);
});
