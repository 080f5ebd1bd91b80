import { describe, expect, it } from "vitest";
import { parsePhones, speechSpans, wordTimings } from "./word-timings.ts";

const printed = "pau:0.020 hh:0.100 ax:0.200 l:0.300 ow:0.420 pau:0.620 b:0.700 aa:0.800 b:0.920 pau:1.040 \n";

describe("word timings", () => {
  it("reads phones as Flite prints them", () => {
    expect(parsePhones(printed)).toHaveLength(10);
    expect(parsePhones(printed)[1]).toEqual({ name: "hh", endMs: 100 });
  });

  it("finds the speech between the pauses", () => {
    expect(speechSpans(parsePhones(printed))).toEqual([
      { startMs: 20, endMs: 420 },
      { startMs: 620, endMs: 920 },
    ]);
  });

  it("puts a pause where the punctuation is", () => {
    expect(wordTimings("Hello, Bob.", parsePhones(printed))).toEqual([
      { textOffset: 0, textLength: 6, startMs: 20, endMs: 420 },
      { textOffset: 7, textLength: 4, startMs: 620, endMs: 920 },
    ]);
  });

  it("shares a phrase by the length of its words, without gaps", () => {
    const [first, second] = wordTimings("Hello Bob", parsePhones("pau:0.000 a:1.000 pau:1.200"));
    expect(first).toEqual({ textOffset: 0, textLength: 5, startMs: 0, endMs: 600 });
    expect(second).toEqual({ textOffset: 6, textLength: 3, startMs: 600, endMs: 1_000 });
  });

  it("gives a number the time that its words take", () => {
    const [amount, word] = wordTimings("$52 due", parsePhones("pau:0.000 a:1.700 pau:1.800"));
    expect(amount?.endMs).toBe(1_300);
    expect(word?.endMs).toBe(1_700);
  });

  it("jumps over pauses that no punctuation explains", () => {
    const words = wordTimings("one two", parsePhones(printed));
    expect(words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [20, 370],
      [370, 920],
    ]);
  });

  it("has no words for silence", () => {
    expect(wordTimings("...", parsePhones("pau:0.186"))).toEqual([]);
    expect(wordTimings("hm", [])).toEqual([{ textOffset: 0, textLength: 2, startMs: 0, endMs: 0 }]);
  });
});
