import { expect, it } from "vitest";
import { joinSamples } from "./join-samples.ts";

it("joins samples in their order, in memory of their own", () => {
  const first = Int16Array.of(1, 2);
  const whole = joinSamples([first, new Int16Array(0), Int16Array.of(3)]);
  first.fill(9);
  expect([...whole]).toEqual([1, 2, 3]);
  expect([...joinSamples([])]).toEqual([]);
});
