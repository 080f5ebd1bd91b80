import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { hearInPieces } from "./hear-in-pieces.ts";

const sampleRateHz = 100;

function heard() {
  const log: string[] = [];
  const events = hearInPieces(
    {
      onAudio: (samples) => void log.push(`${samples.length} from ${samples[0]}`),
      onText: (text) => void log.push(text),
      onDigits: (digits) => void log.push(digits),
      onControl: (action) => void log.push(action),
      onConfig: () => void log.push("config"),
      onTranscript: () => undefined,
      onLanguage: () => undefined,
      onCallerFinished: () => void log.push("finished"),
      onClosed: (reason) => void log.push(reason),
    },
    { sampleRateHz, onTooMuch: () => void log.push("too much") },
  );
  return { events, log };
}

const audio = (length: number): Int16Array => Int16Array.from({ length }, (_, at) => at);

it("hears short audio at once, and everything else as well", () => {
  const { events, log } = heard();
  events.onAudio(audio(100));
  events.onText("hello");
  expect(log).toEqual(["100 from 0", "hello"]);
});

it("hears long audio in pieces, one for each round of the event loop, and in order with what comes after it", async () => {
  const { events, log } = heard();
  events.onAudio(audio(250));
  events.onCallerFinished();
  events.onAudio(audio(10));
  events.onText("hello");
  expect(log).toEqual([]);
  const rounds: number[] = [];
  while (log.length < 6) {
    await nextRound();
    rounds.push(log.length);
  }
  expect(rounds).toEqual([1, 2, 3, 4, 5, 6]);
  expect(log).toEqual(["100 from 0", "100 from 100", "50 from 200", "finished", "10 from 0", "hello"]);
  events.onText("again");
  expect(log.at(-1)).toBe("again");
});

it("refuses what is too far ahead of real time, and hears nothing after the end", async () => {
  const { events, log } = heard();
  for (let message = 0; message < 5; message += 1) events.onAudio(audio(1600));
  expect(log).toEqual(["too much"]);
  events.onClosed("closed");
  await nextRound();
  await nextRound();
  expect(log).toEqual(["too much", "closed"]);
});
