import { describe, expect, it } from "vitest";
import { ConfirmedDetector } from "./confirmed-detector.ts";

const frame = new Int16Array(320);

/** `#` is a frame that the cheap detector takes for speech; `judge` answers the model's n-th question. */
function hear(frames: string, judge: (question: number) => boolean, sensitivity: "low" | "medium" | "high" = "medium") {
  let at = 0;
  let questions = 0;
  const cheap = { isSpeech: () => frames[at] === "#", close: () => undefined };
  const detector = new ConfirmedDetector(cheap, () => judge(questions++), { sampleRateHz: 16_000, sensitivity });
  let heard = "";
  for (; at < frames.length; at++) heard += detector.isSpeech(frame) ? "#" : ".";
  return { heard, questions: () => questions };
}

const times = (text: string, count: number): string => text.repeat(count);
const most = (heard: string): number =>
  Math.max(...Array.from({ length: heard.length }, (_, at) => heard.slice(at, at + 8).replaceAll(".", "").length));

describe("a detector that a model confirms", () => {
  it("passes speech on without a gap when the model agrees at once", () => {
    const line = `${times(".", 20)}${times("#", 40)}`;
    expect(hear(line, () => true).heard).toBe(line);
  });

  it("passes less on than anything takes for a beginning while the model refuses, and asks ever more seldom", () => {
    const { heard, questions } = hear(times("#", 500), () => false);
    expect(most(heard)).toBe(4);
    expect(heard.slice(8)).not.toContain("#");
    expect(questions()).toBeLessThan(60);
  });

  it("passes three of eight frames on where four are speech to the session", () => {
    expect(most(hear(times("#", 100), () => false, "high").heard)).toBe(3);
    expect(most(hear(times("##.#...#", 40), () => false, "high").heard)).toBeLessThan(4);
  });

  it("asks once about a short sentence, and not again about the next within a second", () => {
    expect(hear(`${times("#", 40)}${times(".", 40)}${times("#", 40)}`, () => true).questions()).toBe(1);
    expect(hear(`${times("#", 40)}${times(".", 60)}${times("#", 40)}`, () => true).questions()).toBe(2);
  });

  it("asks again after three seconds, though each sound is short and the next follows soon", () => {
    const notes = `${times("#", 7)}${times(".", 12)}`;
    const { heard } = hear(`${times("#", 40)}${times(".", 10)}${times(notes, 40)}`, (question) => question < 1);
    expect(heard.slice(0, 100)).toContain("#######");
    // Fewer than the four of a line that is not known to sound like speech.
    expect(most(heard.slice(200))).toBe(3);
  });

  it("asks no one on a silent line", () => {
    expect(hear(times(".", 1000), () => true).questions()).toBe(0);
    expect(hear(times("##........", 100), () => true).questions()).toBe(0);
  });

  it("ends what never pauses once the model no longer agrees, and then looks closer", () => {
    const { heard, questions } = hear(times("#", 300), (question) => question < 2);
    expect(heard.lastIndexOf("#")).toBeLessThan(150);
    expect(questions()).toBeGreaterThan(10);
  });

  it("lets speech go on after a single refusal within it", () => {
    const { heard } = hear(times("#", 300), (question) => question !== 1);
    expect(heard.replaceAll("#", "")).toBe(".");
  });
});
