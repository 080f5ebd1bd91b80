import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpokenWord, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { describe, expect, it, onTestFinished } from "vitest";
import { rememberSpeech } from "./remembered-speech.ts";

const hello: SynthesisRequest = { text: "Hello", voice: { name: "slt" }, language: "en-US", sampleRateHz: 16_000 };
const word: SpokenWord = { textOffset: 0, textLength: 5, startMs: 0, endMs: 300 };

/** Speaks one word for each request, and tells which were asked for. */
function countingVoice(): { readonly voice: Synthesiser; readonly asked: SynthesisRequest[] } {
  const asked: SynthesisRequest[] = [];
  const voice: Synthesiser = {
    async synthesise(request, events, signal) {
      asked.push(request);
      await Promise.resolve();
      signal.throwIfAborted();
      events.onWord(word);
      events.onAudio(Int16Array.of(1, 2, 3));
    },
    pool: () => emptyPool,
    close: () => Promise.resolve(),
  };
  return { voice, asked };
}

async function listen(voice: Synthesiser, request: SynthesisRequest, signal = new AbortController().signal) {
  const heard: (SpokenWord | Int16Array)[] = [];
  await voice.synthesise(
    request,
    { onWord: (spoken) => heard.push(spoken), onAudio: (samples) => heard.push(samples) },
    signal,
  );
  return heard;
}

describe("remembered speech", () => {
  it("is made once, and delivered again in the same order to receivers who each own their samples", async () => {
    const { voice, asked } = countingVoice();
    const remembered = rememberSpeech(voice);
    for (const spoiled of await listen(remembered, hello)) if (spoiled instanceof Int16Array) spoiled.fill(0);
    for (const spoiled of await listen(remembered, hello)) if (spoiled instanceof Int16Array) spoiled.fill(0);
    expect(await listen(remembered, hello)).toEqual([word, Int16Array.of(1, 2, 3)]);
    expect(asked).toHaveLength(1);
  });

  it("is found by another worker in the folder that they share, with its sound and its words", async () => {
    const folder = mkdtempSync(join(tmpdir(), "remembered-speech-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const one = countingVoice();
    const other = countingVoice();
    await listen(rememberSpeech(one.voice, { folder }), hello);
    const remembered = rememberSpeech(other.voice, { folder });
    expect(await listen(remembered, hello)).toEqual([word, Int16Array.of(1, 2, 3)]);
    expect(other.asked).toEqual([]);
    await listen(remembered, { ...hello, text: "Bye" });
    expect(other.asked).toHaveLength(1);
  });

  it("is another for other words, another voice and another rate", async () => {
    const { voice, asked } = countingVoice();
    const remembered = rememberSpeech(voice);
    const others = [
      { ...hello, text: "Bye" },
      { ...hello, voice: { name: "rms" } },
      { ...hello, sampleRateHz: 8000 },
    ];
    for (const request of [hello, ...others]) await listen(remembered, request);
    expect(asked).toHaveLength(4);
  });

  it("rejects with the reason of whoever cancels it, remembered or not", async () => {
    const { voice, asked } = countingVoice();
    const remembered = rememberSpeech(voice);
    const reason = new Error("cancelled");
    const cancelled = new AbortController();
    const first = listen(remembered, hello, cancelled.signal);
    cancelled.abort(reason);
    await expect(first).rejects.toBe(reason);
    await listen(remembered, hello);
    expect(asked).toHaveLength(2);
    const again = new AbortController();
    const second = listen(remembered, hello, again.signal);
    again.abort(reason);
    await expect(second).rejects.toBe(reason);
  });
});
