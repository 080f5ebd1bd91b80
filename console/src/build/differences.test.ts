import { expect, it } from "vitest";

import { differencesOf } from "./differences.ts";

const shown = (...documents: Parameters<typeof differencesOf>) =>
  differencesOf(...documents).map(({ path, lines }) => [path, lines.map(({ kind, text }) => `${kind} ${text}`)]);

it("[PUBLISH-8] shows each changed field, and of a text and a list the lines that changed", () => {
  const before = { name: "desk", prompt: "One.\nTwo.\nThree.", tools: ["a", "b"], voice: { voice_rate: "+5%" } };
  const after = { name: "desk", prompt: "One.\nThree.\nFour.", tools: ["b"], voice: {}, greeting: "Hi." };
  expect(shown(before, after)).toEqual([
    ["prompt", ["same One.", "removed Two.", "same Three.", "added Four."]],
    ["tools", ["removed a", "same b"]],
    ["voice.voice_rate", ["removed +5%"]],
    ["greeting", ["added Hi."]],
  ]);
  expect(shown(before, before)).toEqual([]);
  expect(shown(undefined, { name: "new" })).toEqual([["name", ["added new"]]]);
});
