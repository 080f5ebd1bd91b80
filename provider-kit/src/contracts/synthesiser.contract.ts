/** The requirements that the pipeline has of every synthesiser, whatever its vendor. Each provider's test calls this with its factory. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rmsLevel } from "../audio/levels.ts";
import type { SpokenWord, SynthesisRequest, Synthesiser } from "../ports/synthesiser.ts";

export interface SynthesiserFixture {
  readonly name: string;
  create(): Promise<Synthesiser>;
}

export interface Spoken {
  readonly samples: Int16Array;
  readonly words: readonly SpokenWord[];
}

export async function speak(
  synthesiser: Synthesiser,
  text: string,
  options: Partial<Omit<SynthesisRequest, "text">> = {},
): Promise<Spoken> {
  const chunks: Int16Array[] = [];
  const words: SpokenWord[] = [];
  await synthesiser.synthesise(
    { text, voice: { name: "en-US-JennyNeural" }, language: "en-US", sampleRateHz: 16_000, ...options },
    { onAudio: (samples) => chunks.push(samples), onWord: (word) => words.push(word) },
    new AbortController().signal,
  );
  return { samples: Int16Array.from(chunks.flatMap((chunk) => Array.from(chunk))), words };
}

export function synthesiserContract(fixture: SynthesiserFixture): void {
  describe(`synthesiser contract: ${fixture.name}`, () => {
    let synthesiser: Synthesiser;
    beforeAll(async () => {
      synthesiser = await fixture.create();
    });
    afterAll(() => synthesiser.close());

    it.each([8_000, 16_000, 24_000])("speaks at %i Hz", async (sampleRateHz) => {
      const { samples } = await speak(synthesiser, "Good morning, how can I help you?", { sampleRateHz });
      const seconds = samples.length / sampleRateHz;
      expect(seconds).toBeGreaterThan(1);
      expect(seconds).toBeLessThan(4);
      expect(rmsLevel(samples)).toBeGreaterThan(0.01);
    });

    it("says where each word stands, in order, inside the audio", async () => {
      const text = "Your balance, as of today, is fine.";
      const { samples, words } = await speak(synthesiser, text);
      const durationMs = samples.length / 16;
      let previous: SpokenWord = { textOffset: 0, textLength: 0, startMs: 0, endMs: 0 };
      for (const word of words) {
        expect(word.textOffset).toBeGreaterThanOrEqual(previous.textOffset + previous.textLength);
        expect(word.startMs).toBeGreaterThanOrEqual(previous.endMs);
        expect(word.endMs).toBeGreaterThanOrEqual(word.startMs);
        expect(word.endMs).toBeLessThanOrEqual(durationMs + 1);
        expect(text.slice(word.textOffset, word.textOffset + word.textLength)).toMatch(/^\S+$/);
        previous = word;
      }
    });

    it("speaks faster when asked to", async () => {
      const normal = await speak(synthesiser, "This is how fast I speak.");
      const fast = await speak(synthesiser, "This is how fast I speak.", {
        voice: { name: "en-US-JennyNeural", rate: "+40%" },
      });
      expect(fast.samples.length / normal.samples.length).toBeLessThan(0.85);
    });

    it("has a voice for every name", async () => {
      const { samples } = await speak(synthesiser, "Hello.", { voice: { name: "xx-XX-NobodyNeural" } });
      expect(samples.length).toBeGreaterThan(0);
    });

    it("resolves without audio when there is nothing to say", async () => {
      expect((await speak(synthesiser, " ... ")).samples).toHaveLength(0);
    });

    it("keeps simultaneous requests apart", async () => {
      const texts = [
        "One.",
        "This one is a little longer.",
        "Two.",
        "And here comes the longest of them all, at last.",
      ];
      const alone = [];
      for (const text of texts) alone.push((await speak(synthesiser, text)).samples.length);
      const together = await Promise.all(texts.map((text) => speak(synthesiser, text)));
      expect(together.map(({ samples }) => samples.length)).toEqual(alone);
    });

    it("gives the receiver audio of its own", async () => {
      const chunks: Int16Array[] = [];
      const request = { text: "Mine.", voice: { name: "rms" }, language: "en-US", sampleRateHz: 16_000 };
      const events = { onAudio: (samples: Int16Array) => void chunks.push(samples), onWord: () => undefined };
      await synthesiser.synthesise(request, events, new AbortController().signal);
      const before = Array.from(chunks[0] ?? []);
      await synthesiser.synthesise(
        { ...request, text: "Yours." },
        { ...events, onAudio: () => undefined },
        new AbortController().signal,
      );
      expect(Array.from(chunks[0] ?? [])).toEqual(before);
    });

    it("rejects with the signal's reason and falls silent when called off", async () => {
      const reason = new Error("interrupted");
      const running = new AbortController();
      const queued = new AbortController();
      let callbacks = 0;
      const events = { onAudio: () => void callbacks++, onWord: () => void callbacks++ };
      const request = {
        text: "Nobody will hear this sentence.",
        voice: { name: "rms" },
        language: "en-US",
        sampleRateHz: 16_000,
      };
      const first = synthesiser.synthesise(request, events, running.signal);
      const second = synthesiser.synthesise(request, events, queued.signal);
      const third = speak(synthesiser, "But this one they will.");
      running.abort(reason);
      queued.abort(reason);
      await expect(first).rejects.toBe(reason);
      await expect(second).rejects.toBe(reason);
      expect((await third).samples.length).toBeGreaterThan(0);
      expect(callbacks).toBe(0);
    });

    it("does not begin for a signal that is already aborted", async () => {
      const reason = new Error("too late");
      const events = { onAudio: () => expect.unreachable(), onWord: () => expect.unreachable() };
      const request = { text: "Hello.", voice: { name: "rms" }, language: "en-US", sampleRateHz: 16_000 };
      await expect(synthesiser.synthesise(request, events, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it("reports its pool, and that it is closed", async () => {
      const own = await fixture.create();
      expect(own.pool()).toMatchObject({ ready: true, activeSessions: 0, allocationsTotal: 0 });
      await speak(own, "Hello.");
      expect(own.pool()).toMatchObject({ activeSessions: 0, allocationsTotal: 1 });
      await Promise.all([own.close(), own.close()]);
      expect(own.pool().ready).toBe(false);
      await expect(speak(own, "Hello.")).rejects.toMatchObject({ name: "VoiceError" });
    });
  });
}
