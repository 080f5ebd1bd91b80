import { expect, it } from "vitest";
import { Recent } from "./recent.ts";

it("knows the 30 newest, and forgets the others", () => {
  const recent = new Recent<number>();
  expect(recent.has("id-0")).toBe(false);
  for (let id = 0; id < 1000; id++) {
    recent.set(`id-${id}`, id);
    recent.set(`id-${id}`, -id);
  }
  expect([recent.has("id-969"), recent.get("id-970"), recent.get("id-999")]).toEqual([false, -970, -999]);
  recent.delete("id-999");
  expect(recent.has("id-999")).toBe(false);
});
