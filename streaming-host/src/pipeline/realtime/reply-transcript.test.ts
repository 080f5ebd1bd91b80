import { expect, it } from "vitest";
import { fakeAgent } from "../../testing/fake-catalog.ts";
import { ReplyTranscript } from "./reply-transcript.ts";

const guardrails = [{ name: "no-fees", pattern: /no fee/gu, action: { type: "replace", with: "a fee" } }] as const;

function handedOver(): ReplyTranscript {
  const words = new ReplyTranscript(fakeAgent("desk", { guardrails }));
  words.items.addAudio("a", 1000);
  words.endText("a", "There is no fee.");
  words.speakAs(fakeAgent("cards"));
  words.items.addAudio("b", 1000);
  words.endText("b", "There is no fee for cards.");
  return words;
}

it("stores each agent's words as its own, and as its own guardrails let them pass", () => {
  const words = handedOver();
  expect(words.items.speaker.name).toBe("cards");
  expect(words.heard()).toEqual([
    { agent: "desk", text: "There is a fee." },
    { agent: "cards", text: "There is no fee for cards." },
  ]);
});

it("[HIST-2] stores nothing of an agent that was not heard", () => {
  expect(handedOver().heard(1000)).toEqual([{ agent: "desk", text: "There is a fee." }]);
  expect(handedOver().heard(0)).toEqual([]);
});

it("shows each agent's words as its own guardrails let them pass", () => {
  const words = new ReplyTranscript(fakeAgent("desk", { guardrails }));
  const shown = [...words.addText("a", "There is no fee. I "), ...words.endText("a", "There is no fee. I")];
  words.speakAs(fakeAgent("cards"));
  shown.push(...words.addText("b", "There is no fee. "), ...words.endText("b", "There is no fee."));
  expect(shown.map(({ text }) => text)).toEqual(["There is a fee.", " I", "There is no fee."]);
});

it("[EAR-1] shows and stores only words for the ear of a realtime model's text", () => {
  const words = new ReplyTranscript(fakeAgent("desk"));
  words.items.addAudio("a", 1000);
  const text = "<think>hm</think>We are open. <tool_call>{}</tool_call>";
  const shown = [
    ...words.addText("a", text.slice(0, 20)),
    ...words.addText("a", text.slice(20)),
    ...words.endText("a", text),
  ];
  words.items.addAudio("b", 1000);
  shown.push(...words.addText("b", "Until five."), ...words.endText("b", "Until five."));
  expect(shown.map(({ text: said }) => said).join("")).toBe("We are open. Until five.");
  expect(words.heard()).toEqual([{ agent: "desk", text: "We are open. Until five." }]);
});
