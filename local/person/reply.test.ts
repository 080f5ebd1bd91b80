import { expect, it } from "vitest";
import { hasWholeAnswer, readReply } from "./reply.ts";

const nothing = readReply([], 0);
const said = { agent: "desk", text: "Your account", turnId: "turn-1", interrupted: false };

it("takes words or audio for a whole answer, but not words that the caller has interrupted", () => {
  expect(hasWholeAnswer(nothing)).toBe(false);
  expect(hasWholeAnswer({ ...nothing, says: [said] })).toBe(true);
  expect(hasWholeAnswer({ ...nothing, firstAudioMs: 200 })).toBe(true);
  expect(hasWholeAnswer({ ...nothing, says: [{ ...said, interrupted: true }], firstAudioMs: 200 })).toBe(false);
  expect(hasWholeAnswer({ ...nothing, says: [{ ...said, interrupted: true }, said] })).toBe(true);
});
