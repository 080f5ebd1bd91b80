import { describe, expect, it } from "vitest";
import { captionSentences } from "../output/caption-sentences.ts";
import { SpokenRuns } from "./spoken-runs.ts";

describe("the heard runs of a reply", () => {
  it("[REC-4] follows a reply that was held and went on", () => {
    const runs = new SpokenRuns();
    runs.add(1000, 300);
    runs.add(1300, 300);
    runs.cut(1400); // 400 were heard
    runs.add(2000, 300);
    expect([runs.startOf(0), runs.endOf(400), runs.startOf(400), runs.endOf(500), runs.end]).toEqual([
      1000, 1400, 2000, 2100, 2300,
    ]);
  });

  it("forgets runs that were cut before they began", () => {
    const runs = new SpokenRuns();
    runs.add(100, 50);
    runs.add(200, 50);
    runs.cut(150);
    expect(runs.end).toBe(150);
    runs.cut(50);
    expect(runs.end).toBe(0);
  });

  it("begins anew with each reply", () => {
    const runs = new SpokenRuns();
    runs.add(100, 50);
    runs.reset();
    runs.add(500, 50);
    expect([runs.startOf(0), runs.endOf(50)]).toEqual([500, 550]);
  });
});

describe("the words of a reply", () => {
  it("[REC-4] are its sentences, each with the sample at which it was over", () => {
    const parts = [
      { agent: "desk", text: "Hello. It is $1.50, is it?" },
      { agent: "cards", text: "This is cards" },
    ];
    const heard = "Hello. It is $1.50, is it? This is cards";
    expect(captionSentences(heard, parts, (textEnd) => textEnd * 10)).toEqual([
      { agent: "desk", text: "Hello.", endSample: 60 },
      { agent: "desk", text: "It is $1.50, is it?", endSample: 260 },
      { agent: "cards", text: "This is cards", endSample: 400 },
    ]);
  });

  it("[REC-4] are told apart where two agents say the same", () => {
    const parts = [
      { agent: "desk", text: "Hello." },
      { agent: "cards", text: "Hello." },
    ];
    const ends = captionSentences("Hello. Hello.", parts, (textEnd) => textEnd).map(({ endSample }) => endSample);
    expect(ends).toEqual([6, 13]);
  });

  it("are none when nothing was heard", () => {
    expect(captionSentences("", [], () => 0)).toEqual([]);
  });
});
