/** The requirements that the pipeline has of every recogniser, whatever its vendor. Each provider's test calls this with its factory. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Recogniser, RecognisedText, RecognitionOptions, RecognitionStream } from "../ports/recogniser.ts";

export interface RecogniserFixture {
  readonly name: string;
  create(): Promise<Recogniser>;
  /** A voice that speaks the text, at 16 kHz. */
  speak(text: string): Promise<Int16Array>;
  /** Two sentences that the recogniser knows, for hints and for speech. */
  readonly sentences: readonly [string, string];
}

/** A stream with everything that it reported, and a promise for its next report. */
export interface Listener {
  readonly stream: RecognitionStream;
  readonly partials: readonly RecognisedText[];
  readonly finals: readonly RecognisedText[];
  readonly errors: readonly VoiceError[];
  /** The final number `count`, counted from 1. */
  final(count?: number): Promise<RecognisedText>;
}

export const silenceMs = 500;

export async function listen(recogniser: Recogniser, options: Partial<RecognitionOptions> = {}): Promise<Listener> {
  const partials: RecognisedText[] = [];
  const finals: RecognisedText[] = [];
  const errors: VoiceError[] = [];
  let changed: (() => void)[] = [];
  const wake = (): void => {
    const waiting = changed;
    changed = [];
    for (const resolve of waiting) resolve();
  };
  const stream = await recogniser.open(
    {
      sampleRateHz: 16_000,
      language: "en-US",
      candidateLanguages: [],
      segmentationSilenceMs: silenceMs,
      hints: { examples: [], phrases: [] },
      ...options,
    },
    {
      onPartial: (partial) => void partials.push(partial),
      onFinal(final) {
        finals.push(final);
        wake();
      },
      onUnknown(error) {
        errors.push(error);
        wake();
      },
      onError(error) {
        errors.push(error);
        wake();
      },
    },
    AbortSignal.timeout(10_000),
  );
  return {
    stream,
    partials,
    finals,
    errors,
    async final(count = 1) {
      for (;;) {
        const final = finals[count - 1];
        if (final !== undefined) return final;
        const [error] = errors;
        if (error !== undefined) throw error;
        await new Promise<void>((resolve) => {
          changed.push(resolve);
        });
      }
    },
  };
}

/** Sends audio as a call does: 20 ms at a time, from one buffer that is reused. */
export function play(stream: RecognitionStream, samples: Int16Array, sampleRateHz = 16_000): void {
  const buffer = new Int16Array(sampleRateHz / 50);
  for (let offset = 0; offset < samples.length; offset += buffer.length) {
    const frame = buffer.subarray(0, Math.min(buffer.length, samples.length - offset));
    frame.set(samples.subarray(offset, offset + frame.length));
    stream.write(frame);
    frame.fill(0x5a5a);
  }
}

export function silence(durationMs: number, sampleRateHz = 16_000): Int16Array {
  return new Int16Array((durationMs * sampleRateHz) / 1_000);
}

export const heard = (text: string): string => text.toLowerCase().replaceAll(/[^a-z' ]/g, "");

export function recogniserContract(fixture: RecogniserFixture): void {
  describe(`recogniser contract: ${fixture.name}`, () => {
    const [sentence, other] = fixture.sentences;
    const hints = { examples: [sentence, other], phrases: [] };
    let recogniser: Recogniser;
    let speech: Int16Array;
    let otherSpeech: Int16Array;
    beforeAll(async () => {
      recogniser = await fixture.create();
      speech = await fixture.speak(sentence);
      otherSpeech = await fixture.speak(other);
    });
    afterAll(() => recogniser.close());

    /** Closes the stream however the test ends: a test that failed leaves none to the next one. */
    const listening = async (options: Partial<RecognitionOptions> = { hints }, by = recogniser): Promise<Listener> => {
      const listener = await listen(by, options);
      onTestFinished(() => listener.stream.close());
      return listener;
    };

    it("turns speech into text once the silence is long enough", async () => {
      const listener = await listening();
      play(listener.stream, speech);
      play(listener.stream, silence(silenceMs + 200));
      expect((await listener.final()).text).toBe(heard(sentence));
    });

    it("says what it hears while it hears it", async () => {
      const listener = await listening();
      play(listener.stream, speech);
      play(listener.stream, silence(silenceMs + 200));
      await listener.final();
      expect(listener.partials.length).toBeGreaterThan(0);
      expect(listener.partials.at(-1)?.text).toBe(heard(sentence));
    });

    it("says when the speech began and ended, in ms of audio", async () => {
      const listener = await listening();
      const durationMs = speech.length / 16;
      play(listener.stream, silence(1_000));
      play(listener.stream, speech);
      play(listener.stream, silence(silenceMs + 200));
      const { startMs, endMs } = await listener.final();
      expect(startMs).toBeGreaterThan(900);
      expect(startMs).toBeLessThan(1_300);
      expect(endMs).toBeGreaterThan(1_000 + durationMs - 450);
      expect(endMs).toBeLessThanOrEqual(1_000 + durationMs + 60);
    });

    it("ends a segment at once when flushed, and only one that was begun", async () => {
      const listener = await listening();
      listener.stream.flush();
      play(listener.stream, speech);
      listener.stream.flush();
      listener.stream.flush();
      expect((await listener.final()).text).toBe(heard(sentence));
      play(listener.stream, otherSpeech);
      listener.stream.flush();
      expect((await listener.final(2)).text).toBe(heard(other));
      expect(listener.finals).toHaveLength(2);
    });

    it("separates what silence separates, in order", async () => {
      const listener = await listening();
      for (const samples of [speech, otherSpeech, speech]) {
        play(listener.stream, samples);
        play(listener.stream, silence(silenceMs + 300));
      }
      await listener.final(3);
      expect(listener.finals.map(({ text }) => text)).toEqual([sentence, other, sentence].map(heard));
    });

    it("hears several callers at once", async () => {
      const listeners = await Promise.all([0, 1, 2, 3].map(() => listening()));
      const streams = listeners.map((listener) => listener.stream);
      for (let offset = 0; offset < Math.max(speech.length, otherSpeech.length) + 16_000; offset += 320)
        for (const [index, stream] of streams.entries()) {
          const source = index % 2 === 0 ? speech : otherSpeech;
          const frame = new Int16Array(320);
          frame.set(source.subarray(offset, offset + 320));
          stream.write(frame);
        }
      const finals = await Promise.all(listeners.map((listener) => listener.final()));
      expect(finals.map(({ text }) => text)).toEqual([sentence, other, sentence, other].map(heard));
    });

    it("says nothing after it was closed", async () => {
      const listener = await listening();
      play(listener.stream, speech);
      listener.stream.flush();
      listener.stream.close();
      listener.stream.close();
      listener.stream.write(new Int16Array(320));
      listener.stream.flush();
      const next = await listening();
      play(next.stream, speech);
      next.stream.flush();
      await next.final();
      expect([...listener.partials, ...listener.finals, ...listener.errors]).toEqual([]);
    });

    it("does not open for a signal that is already aborted", async () => {
      const events = { onPartial: () => undefined, onFinal: () => undefined, onError: () => undefined };
      const reason = new Error("the call is over");
      const options = {
        sampleRateHz: 16_000,
        language: "en-US",
        candidateLanguages: [],
        segmentationSilenceMs: 500,
        hints,
      };
      await expect(recogniser.open(options, events, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(recogniser.pool().activeSessions).toBe(0);
    });

    it("reports its pool, and that it is closed", async () => {
      const own = await fixture.create();
      expect(own.pool()).toMatchObject({ ready: true, activeSessions: 0, allocationsTotal: 0 });
      const listener = await listen(own, { hints });
      expect(own.pool()).toMatchObject({ activeSessions: 1, allocationsTotal: 1 });
      listener.stream.close();
      expect(own.pool().activeSessions).toBe(0);
      await Promise.all([own.close(), own.close()]);
      expect(own.pool().ready).toBe(false);
      await expect(listen(own)).rejects.toMatchObject({ name: "VoiceError" });
    });
  });
}
