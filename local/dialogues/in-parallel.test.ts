import { expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

it("does each item once, in order, and never more at a time than the limit", async () => {
  const log: string[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<undefined>());
  const done = inParallel([0, 1, 2, 3, 4], 2, async (item) => {
    log.push(`begin ${item}`);
    await gates[item]?.promise;
    log.push(`end ${item}`);
  });
  expect(log).toEqual(["begin 0", "begin 1"]);
  gates[1]?.resolve(undefined);
  await expect.poll(() => log.at(-1)).toBe("begin 2");
  for (const gate of gates) gate.resolve(undefined);
  await done;
  expect(log.filter((entry) => entry.startsWith("begin"))).toEqual([0, 1, 2, 3, 4].map((item) => `begin ${item}`));
  expect(log.filter((entry) => entry.startsWith("end"))).toHaveLength(5);
});

it("fails with the first failure", async () => {
  const failing = inParallel([1, 2], 1, (item) => (item === 1 ? Promise.reject(new Error("no")) : Promise.resolve()));
  await expect(failing).rejects.toThrow("no");
});
