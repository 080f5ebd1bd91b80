import { describe, expect, it } from "vitest";
import { keyRate, maxTextCharacters, textRate, wordRate } from "../../../transports/message-limits.ts";
import type { TransportEvents } from "../../../transports/transport.ts";
import { limitInput } from "./limit-input.ts";

function rig() {
  let nowMs = 0;
  const heard: string[] = [];
  const refusals: string[] = [];
  const events: TransportEvents = {
    onAudio: () => undefined,
    onText: (text) => void heard.push(text),
    onDigits: (digits) => void heard.push(digits),
    onControl: () => undefined,
    onConfig: () => undefined,
    onTranscript: ({ text }) => void heard.push(text),
    onLanguage: () => undefined,
    onCallerFinished: () => undefined,
    onClosed: () => undefined,
  };
  const limited = limitInput(events, { now: () => nowMs, refuse: (problem) => void refusals.push(problem) });
  return {
    limited,
    heard,
    refusals,
    characters: () => heard.reduce((sum, text) => sum + text.length, 0),
    transcribe: (text: string, isFinal: boolean) => limited.onTranscript({ text, isFinal, startMs: 0, endMs: 0 }),
    pass: (ms: number) => void (nowMs += ms),
  };
}

describe("what a peer writes", () => {
  it("[FR-7a] [FR-7e] is heard at the pace of somebody who types, and the rest is refused with what to change", () => {
    const { limited, heard, refusals } = rig();
    for (let text = 0; text < textRate.burst + 1; text++) limited.onText("yes");
    expect(heard).toHaveLength(textRate.burst);
    expect(refusals).toEqual(["Too many texts: at most 10 a second are heard. Send them more slowly."]);
  });

  it("[FR-7a] grows by 100 characters a second, whatever is sent: an hour of the longest texts stays below 400,000", () => {
    const { limited, characters, pass } = rig();
    for (let text = 0; text < 36_000; text++) {
      limited.onText("x".repeat(maxTextCharacters));
      pass(100);
    }
    expect(characters()).toBeGreaterThan(3600 * wordRate.perSecond - maxTextCharacters);
    expect(characters()).toBeLessThanOrEqual(wordRate.burst + 3600 * wordRate.perSecond);
  });

  it("[FR-7a] may be single words, whose answers are stored too, no more than once a second in the long run", () => {
    const { limited, heard, refusals, pass } = rig();
    for (let text = 0; text < 36_000; text++) {
      limited.onText("balance");
      pass(100);
    }
    expect(heard.length).toBeLessThanOrEqual(200 + 3600);
    expect(refusals.at(-1)).toContain("Send less, or wait.");
  });

  it("[FR-7a] is heard whole where it is a long paste, and texts of a quick typist", () => {
    const { limited, heard, refusals, pass } = rig();
    for (let part = 0; part < 5; part++) limited.onText("x".repeat(maxTextCharacters));
    for (let minute = 0; minute < 60; minute++) {
      pass(60_000);
      for (let text = 0; text < 20; text++)
        limited.onText("A sentence of about sixty characters, as people type them.");
    }
    expect(refusals).toEqual([]);
    expect(heard).toHaveLength(5 + 60 * 20);
  });
});

describe("keys", () => {
  it("[FR-7c] are heard at the pace of a dialling program, because each `#` ends a turn", () => {
    const { limited, characters, refusals, pass } = rig();
    for (let message = 0; message < 600; message++) {
      limited.onDigits("1#".repeat(16));
      pass(5); // as often as messages may come
    }
    expect(characters()).toBeLessThanOrEqual(keyRate.burst + 3 * keyRate.perSecond);
    expect(refusals[0]).toContain("Too many keys");
  });

  it("[FR-7c] of an account number are heard at once", () => {
    const { limited, heard } = rig();
    limited.onDigits("12345678901234567890123456789012");
    expect(heard).toEqual(["12345678901234567890123456789012"]);
  });
});

describe("what a peer's own service transcribes", () => {
  it("[FR-7b] is heard at the pace of speech for as long as somebody talks", () => {
    const { transcribe, heard, refusals, pass } = rig();
    const sentence = "x".repeat(100); // five seconds of fast speech
    for (let at = 0; at < 4 * 720; at++) {
      for (let part = 20; part < 100; part += 20) transcribe(sentence.slice(0, part), false);
      transcribe(sentence, true);
      pass(5000);
    }
    expect(refusals).toEqual([]);
    expect(heard.filter((text) => text === sentence)).toHaveLength(2880);
  });

  it("[FR-7b] is refused where no speech could be so long or so fast", () => {
    const { transcribe, refusals, characters, pass } = rig();
    transcribe("x".repeat(500_000), true);
    transcribe("x".repeat(500_000), false);
    expect(refusals).toHaveLength(2);
    for (let at = 0; at < 2000; at++) {
      transcribe("x".repeat(maxTextCharacters), true);
      pass(5);
    }
    expect(characters()).toBeLessThanOrEqual(wordRate.burst + 10 * wordRate.perSecond);
  });
});
