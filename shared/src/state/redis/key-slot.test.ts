import { describe, expect, it } from "vitest";
import { keySlot } from "./key-slot.ts";

describe("the slot of a key", () => {
  it.each([
    ["123456789", 0x31c3],
    ["foo", 12_182],
    ["{user1000}.following", 3443],
    ["{user1000}.followers", 3443],
    ["foo{}{bar}", 8363],
    ["foo{{bar}}zap", 4015],
    ["foo{bar}{zap}", 5061],
  ])("of %s is %i, as a server says", (key, slot) => {
    expect(keySlot(key)).toBe(slot);
  });
});
