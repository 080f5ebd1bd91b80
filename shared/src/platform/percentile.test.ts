import { expect, it } from "vitest";
import { percentile } from "./percentile.ts";

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => count - index);

it("is undefined without values, and the value where there is one", () => {
  expect(percentile([], 0.5)).toBeUndefined();
  expect([0, 0.5, 0.95, 1].map((share) => percentile([7], share))).toEqual([7, 7, 7, 7]);
});

it("is one of the values: of an even count, the median is the lower of the two in the middle", () => {
  expect([1, 2, 3, 4].map((count) => percentile(numbersTo(count), 0.5))).toEqual([1, 1, 2, 2]);
});

it("is the greatest value where fewer than 20 are asked for the 95th percentile, and the 19th of 20", () => {
  expect([2, 10, 19, 20, 100].map((count) => percentile(numbersTo(count), 0.95))).toEqual([2, 10, 19, 19, 95]);
});

it("gives the least and the greatest value for the shares 0 and 1, and sorts numbers, not their texts", () => {
  const values = [100, 9, 20];
  expect([0, 1].map((share) => percentile(values, share))).toEqual([9, 100]);
  expect(values).toEqual([100, 9, 20]);
});
