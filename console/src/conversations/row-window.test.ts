import { expect, it } from "vitest";

import { windowOf } from "./row-window.ts";

it("draws the rows in view and a dozen around them, whatever the length of the list", () => {
  expect(windowOf({ scrollTop: 0, height: 320 }, 32, 10_000)).toEqual({ first: 0, end: 22 });
  expect(windowOf({ scrollTop: 32_000, height: 320 }, 32, 10_000)).toEqual({ first: 988, end: 1022 });
  expect(windowOf({ scrollTop: 319_680, height: 320 }, 32, 10_000)).toEqual({ first: 9978, end: 10_000 });
});

it("draws a short list whole, and nothing of one that has become shorter than it is scrolled", () => {
  expect(windowOf({ scrollTop: 0, height: 320 }, 32, 5)).toEqual({ first: 0, end: 5 });
  expect(windowOf({ scrollTop: 9000, height: 320 }, 32, 5)).toEqual({ first: 0, end: 5 });
  expect(windowOf({ scrollTop: 0, height: 0 }, 32, 0)).toEqual({ first: 0, end: 0 });
});
