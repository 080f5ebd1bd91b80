import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { FakeRecogniser } from "../../testing/fake-recogniser.ts";
import type { FakeStream } from "../../testing/fake-recogniser.ts";
import { SupervisedRecognition } from "./supervised-recognition.ts";

const gone = (): VoiceError => new VoiceError("upstream_unavailable", "gone");
const desk = { examples: [], phrases: ["Harbor Bank"] };
const cards = { examples: [], phrases: ["chargeback"] };

async function rig(refusals: readonly VoiceError[] = []) {
  const clock = new VirtualClock();
  const recogniser = new FakeRecogniser();
  recogniser.refusals.push(...refusals);
  const finals: string[] = [];
  const lost: string[] = [];
  const unknown: string[] = [];
  const recognition = new SupervisedRecognition(
    {
      recogniser,
      recognition: {
        sampleRateHz: 16_000,
        language: "en-US",
        candidateLanguages: [],
        segmentationSilenceMs: 500,
        hints: desk,
      },
      retry: { maxAttempts: 2, backoffFactor: 2, jitter: false },
      clock,
      logger: silentLogger,
      random: () => 0.5,
    },
    {
      onPartial: () => undefined,
      onFinal: ({ text }) => finals.push(text),
      onUnknown: ({ message }) => unknown.push(message),
      onLost: ({ code }) => lost.push(code),
    },
  );
  await clock.advanceAsync(1);
  const write = (count: number, somebodySpeaks: boolean): void => {
    for (let frame = 0; frame < count; frame++) recognition.write(new Int16Array(320), somebodySpeaks);
  };
  return { clock, recogniser, recognition, finals, lost, unknown, write };
}

describe("a recogniser that is supervised", () => {
  it("[FAIL-4a] hears what was said while it could not be reached, although the caller has fallen silent", async () => {
    const { clock, recogniser, write } = await rig([gone()]);
    write(50, true);
    write(60, false);
    await clock.advanceAsync(300, 10);
    expect(recogniser.last.frames).toHaveLength(110);
  });

  it("[FAIL-4a] hears again what was not final when its predecessor died", async () => {
    const { clock, recogniser, write } = await rig();
    write(50, true);
    write(10, false);
    recogniser.last.fail(gone());
    await clock.advanceAsync(300, 10);
    expect(recogniser.streams).toHaveLength(2);
    expect(recogniser.last.frames).toHaveLength(60);
  });

  it("[FAIL-4b] finalises at once what its predecessor was to finalise when it died, unless the caller has gone on", async () => {
    const { clock, recogniser, recognition, write } = await rig();
    write(50, true);
    write(10, false);
    recognition.flush();
    recogniser.last.fail(gone());
    await clock.advanceAsync(300, 10);
    expect(recogniser.streams.map(({ flushes }) => flushes)).toEqual([1, 1]);
    write(50, true);
    recogniser.last.fail(gone());
    await clock.advanceAsync(600, 10);
    expect(recogniser.streams.map(({ flushes }) => flushes)).toEqual([1, 1, 0]);
    recognition.flush();
    recogniser.last.final("hello");
    recogniser.last.fail(gone());
    await clock.advanceAsync(2000, 10);
    expect(recogniser.streams.map(({ flushes }) => flushes)).toEqual([1, 1, 1, 0]);
  });

  it("[FAIL-4c] is waited for while it is away for longer than its retry budget lasts", async () => {
    const { clock, recogniser, write, lost } = await rig();
    write(50, true);
    recogniser.refusals.push(...Array.from({ length: 12 }, gone));
    recogniser.last.fail(gone());
    await clock.advanceAsync(10_000, 50);
    expect(recogniser.streams).toHaveLength(1);
    recogniser.refusals.length = 0;
    await clock.advanceAsync(1000, 50);
    expect(recogniser.streams).toHaveLength(2);
    expect(recogniser.last.frames).toHaveLength(50);
    expect(lost).toEqual([]);
  });

  it.each([
    ["is away for 15 s", gone(), 14_000, 17_000],
    ["will never be had", new VoiceError("internal_error", "no such key"), 0, 100],
  ])("[FAIL-4c] is given up when it %s", async (_why, error, notBeforeMs, atLatestMs) => {
    const { clock, recogniser, lost } = await rig();
    recogniser.refusals.push(...Array.from({ length: 100 }, () => error));
    if (notBeforeMs > 0) {
      recogniser.last.fail(error);
      await clock.advanceAsync(notBeforeMs, 50);
      expect(lost).toEqual([]);
    } else recogniser.last.fail(error);
    await clock.advanceAsync(atLatestMs - notBeforeMs, 50);
    expect(lost).toEqual([error.code]);
  });

  it("[FAIL-4a] is replaced when it says nothing about speech, and what was said is heard again", async () => {
    const { clock, recogniser, write, finals } = await rig();
    write(40, true);
    write(99, false);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(1);
    write(1, false);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(2);
    expect(recogniser.streams[0]?.isClosed).toBe(true);
    expect(recogniser.last.frames).toHaveLength(140);
    // One that was connected ahead of time may be as dead.
    expect(recogniser.last.options.connectsAnew).toBe(true);
    recogniser.last.final("hello");
    expect(finals).toEqual(["hello"]);
  });

  it("[FAIL-4m] is replaced for its silence once, and the caller is asked once, until one of its successors has said something", async () => {
    const { clock, recogniser, write, unknown } = await rig();
    const speaksInVain = async (): Promise<void> => {
      write(40, true);
      write(260, false);
      await clock.advanceAsync(1);
    };
    await speaksInVain();
    expect(unknown).toEqual([]);
    for (let sentence = 0; sentence < 3; sentence++) await speaksInVain();
    expect(recogniser.streams).toHaveLength(2);
    expect(unknown).toEqual(["the recogniser has said nothing about speech for 2 s"]);
    recogniser.last.partial("hello");
    await speaksInVain();
    expect(recogniser.streams).toHaveLength(3);
    await speaksInVain();
    expect(unknown).toHaveLength(2);
  });

  it.each([
    ["it has said something about it", 40, true],
    ["it was too short to be words", 20, false],
  ])("is left alone after speech when %s", async (_why, spoken, reports) => {
    const { clock, recogniser, write } = await rig();
    write(spoken, true);
    if (reports) recogniser.last.partial("hel");
    write(300, false);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(1);
  });

  it("[FAIL-4a] that says nothing and finds no successor is opened again within its retry budget", async () => {
    const { clock, recogniser, write } = await rig();
    recogniser.refusals.push(gone());
    write(40, true);
    write(100, false);
    await clock.advanceAsync(300, 10);
    expect(recogniser.streams).toHaveLength(2);
    expect(recogniser.last.frames).toHaveLength(140);
  });

  it("[SPEECH-7] [SPEECH-8a] gives words up over which streams break until 2 s after the sentence, once", async () => {
    const { clock, recogniser, write, unknown, lost } = await rig();
    write(20, true);
    for (let round = 0; round < 30; round++) {
      write(5, false);
      if (round < 12) recogniser.last.fail(gone());
      await clock.advanceAsync(100, 10);
      if (round === 18) expect(unknown).toEqual([]);
    }
    expect(unknown).toEqual(["gone"]);
    expect(lost).toEqual([]);
    // The next sentence has a chance of its own.
    write(20, true);
    recogniser.last.final("hello");
    write(120, false);
    expect(unknown).toHaveLength(1);
  });

  it("[SPEECH-8f] [FAIL-4c] keeps the words while no stream can be opened, and those that a successor has understood", async () => {
    const away = await rig();
    away.write(50, true);
    away.recogniser.refusals.push(...Array.from({ length: 30 }, gone));
    away.recogniser.last.fail(gone());
    for (let round = 0; round < 60; round++) {
      away.write(5, false);
      await away.clock.advanceAsync(100, 10);
    }
    expect(away.unknown).toEqual([]);
    const back = await rig();
    back.write(50, true);
    back.recogniser.last.fail(gone());
    await back.clock.advanceAsync(300, 10);
    back.recogniser.last.partial("hello");
    back.write(300, false);
    expect(back.unknown).toEqual([]);
  });

  it("[SPEECH-8b] gives up at once what a server will never take, and goes on with the same stream", async () => {
    const { recogniser, write, unknown } = await rig();
    write(50, true);
    write(10, false);
    recogniser.last.unknown(new VoiceError("upstream_unavailable", "refused", { retryable: false }));
    expect(unknown).toEqual(["refused"]);
    expect(recogniser.streams).toHaveLength(1);
    expect(recogniser.last.isClosed).toBe(false);
  });

  it("[SPEECH-8c] gives up what two streams in a row say nothing about, where each piece that is sent must be answered", async () => {
    const { clock, recogniser, write, unknown } = await rig();
    Object.assign(recogniser, { sendsPieces: true });
    write(40, true);
    write(100, false);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(2);
    expect(unknown).toEqual([]);
    write(100, false);
    expect(unknown).toEqual(["the recogniser has said nothing about speech for 2 s"]);
    write(40, true);
    write(100, false);
    expect(unknown).toHaveLength(2);
  });

  it("[TURN-26] counts a final once that is reported twice, and what is said again as often as it is said", async () => {
    const { recogniser, finals, write } = await rig();
    write(50, true);
    recogniser.last.final("book a table");
    recogniser.last.final("book a table");
    expect(finals).toEqual(["book a table"]);
    recogniser.last.final("for two");
    write(50, true);
    recogniser.last.final("for two");
    recogniser.last.final("");
    recogniser.last.final("");
    expect(finals).toEqual(["book a table", "for two", "for two", "", ""]);
  });

  it("keeps only the onset of a word while nobody speaks", async () => {
    const { clock, recogniser, write, finals } = await rig();
    write(50, true);
    recogniser.last.final("hello");
    write(100, false);
    recogniser.last.fail(gone());
    await clock.advanceAsync(300, 10);
    expect(finals).toEqual(["hello"]);
    expect(recogniser.last.frames.length).toBeLessThanOrEqual(40);
  });

  it("[TURN-14a] is told new hints as it runs, where it can be", async () => {
    const { clock, recogniser, recognition } = await rig();
    recognition.setHints(cards);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(1);
    expect(recogniser.last.hints).toEqual([cards]);
  });

  it("[TURN-14b] is followed by one that expects the new words, between two utterances, where it cannot be told", async () => {
    const { clock, recogniser, recognition, finals, write } = await rig();
    recogniser.takesHints = false;
    write(50, true);
    recognition.setHints(cards);
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(1);
    const [first] = recogniser.streams;
    first?.final("my card");
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(2);
    expect(recogniser.last.options.hints).toEqual(cards);
    expect(first?.isClosed).toBe(true);
    recogniser.last.final("is lost");
    expect(finals).toEqual(["my card", "is lost"]);
  });

  it.each([
    ["can be told", true, 2],
    ["must be replaced for that", false, 3],
  ])("[TURN-14b] has the hints that changed while it was being opened, if it %s", async (_how, takesHints, streams) => {
    const { clock, recogniser, recognition } = await rig();
    const opening = Promise.withResolvers<void>();
    recogniser.takesHints = takesHints;
    recogniser.opening = opening.promise;
    recogniser.last.fail(gone());
    await clock.advanceAsync(300, 10);
    recognition.setHints(cards);
    opening.resolve();
    await clock.advanceAsync(1);
    expect(recogniser.streams).toHaveLength(streams);
    expect(recogniser.last.hints.at(-1) ?? recogniser.last.options.hints).toEqual(cards);
    expect(recogniser.streams.filter(({ isClosed }) => !isClosed)).toContain(recogniser.last);
  });

  it.each([
    ["it has heard", (stream: FakeStream) => stream.partial("my card")],
    ["it was asked for", () => undefined],
  ])("[TURN-14b] is not replaced before the final of soft words that %s", async (_why, hears) => {
    const { clock, recogniser, recognition, finals, write } = await rig();
    recogniser.takesHints = false;
    write(20, false);
    const [first] = recogniser.streams;
    if (first !== undefined) hears(first);
    recognition.flush();
    recognition.setHints(cards);
    write(3, false);
    await clock.advanceAsync(60);
    first?.final("my card is lost");
    await clock.advanceAsync(1);
    expect(finals).toEqual(["my card is lost"]);
    expect(recogniser.last.options.hints).toEqual(cards);
  });

  it("goes on with the old hints when the new ones find no recogniser", async () => {
    const { clock, recogniser, recognition, finals } = await rig();
    recogniser.takesHints = false;
    recogniser.refusals.push(gone());
    recognition.setHints(cards);
    await clock.advanceAsync(1);
    recogniser.last.final("hello");
    expect(recogniser.streams).toHaveLength(1);
    expect(finals).toEqual(["hello"]);
  });
});
