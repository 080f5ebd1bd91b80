import { describe, expect, it } from "vitest";
import { QuietLine } from "./quiet-line.ts";

const noise = 0.001;
const speech = 0.05;
const frameMs = 20;

function quietFor(line: QuietLine, ms: number): boolean {
  let isQuiet = false;
  for (let at = 0; at < ms; at += frameMs) isQuiet = line.isQuiet(noise, frameMs);
  return isQuiet;
}

describe("a caller's line", () => {
  it("is quiet a second after the last sound, and never while there is one", () => {
    const line = new QuietLine();
    expect(line.isQuiet(speech, frameMs)).toBe(false);
    expect(quietFor(line, 980)).toBe(false);
    expect(quietFor(line, frameMs)).toBe(true);
    expect(line.isQuiet(speech, frameMs)).toBe(false);
    expect(quietFor(line, 980)).toBe(false);
  });

  it("is quiet as soon as the words are understood, until the next sound", () => {
    const line = new QuietLine();
    line.isQuiet(speech, frameMs);
    line.understood();
    expect(line.isQuiet(noise, frameMs)).toBe(true);
    expect(line.isQuiet(speech, frameMs)).toBe(false);
    expect(line.isQuiet(noise, frameMs)).toBe(false);
  });
});
