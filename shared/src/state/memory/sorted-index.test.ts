import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SortedIndex } from "./sorted-index.ts";

describe("sorted index", () => {
  it("agrees with sorting everything, whatever was set, removed and trimmed", () => {
    const member = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const score = fc.integer({ min: 0, max: 5 });
    const step = fc.oneof(
      fc.record({ type: fc.constant("set" as const), member, score }),
      fc.record({ type: fc.constant("remove" as const), member, score }),
      fc.record({ type: fc.constant("trim" as const), member, score: fc.integer({ min: -1, max: 2 }) }),
    );
    const page = fc.record({
      offset: fc.nat({ max: 8 }),
      limit: fc.nat({ max: 8 }),
      floor: fc.integer({ min: -1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), page, (steps, { offset, limit, floor }) => {
        const index = new SortedIndex();
        const model = new Map<string, number>();
        for (const { type, member, score } of steps) {
          if (type === "set") {
            index.set(member, score);
            model.set(member, score);
          } else if (type === "remove") {
            index.remove(member);
            model.delete(member);
          } else {
            index.trim(score);
            for (const [name, value] of model) if (value <= score) model.delete(name);
          }
        }
        const newestFirst = [...model]
          .filter(([, value]) => value > floor)
          .toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1))
          .map(([name]) => name);
        expect(index.countAbove(floor)).toBe(newestFirst.length);
        expect(index.newestFirst(offset, limit, floor)).toEqual(newestFirst.slice(offset, offset + limit));
      }),
    );
  });
});
