import { afterEach, describe, expect, it } from "vitest";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";

synthesiserContract({ name: "local", create: () => createLocalSynthesiser() });

describe("local synthesiser", () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  it("gives the same bytes for the same text", async () => {
    const synthesiser = await createLocalSynthesiser();
    closers.push(() => synthesiser.close());
    const [first, second] = [await speak(synthesiser, "Same again?"), await speak(synthesiser, "Same again?")];
    expect(second.samples).toEqual(first.samples);
  });

  it("delivers a long text in pieces, the first before the last is made", async () => {
    const synthesiser = await createLocalSynthesiser();
    closers.push(() => synthesiser.close());
    const arrivals: number[] = [];
    const text = "Here is a sentence that takes a while to say, and it comes several times. ".repeat(8);
    const request = { text, voice: { name: "rms" }, language: "en-US", sampleRateHz: 16_000 };
    const events = { onAudio: () => void arrivals.push(performance.now()), onWord: () => undefined };
    await synthesiser.synthesise(request, events, new AbortController().signal);
    expect(arrivals.length).toBeGreaterThanOrEqual(4);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(20);
  });

  it("refuses a rate that no channel has", async () => {
    const synthesiser = await createLocalSynthesiser();
    closers.push(() => synthesiser.close());
    await expect(speak(synthesiser, "Hello.", { sampleRateHz: 11_025 })).rejects.toMatchObject({
      code: "audio_format_unsupported",
    });
  });

  it("replaces a thread that died and tells its caller to try again", async () => {
    const workerUrl = new URL("../fakes/crashing-synthesis-worker.ts", import.meta.url);
    const synthesiser = await createLocalSynthesiser({ workerUrl });
    closers.push(() => synthesiser.close());
    await expect(speak(synthesiser, "crash")).rejects.toMatchObject({ name: "VoiceError", retryable: true });
    expect((await speak(synthesiser, "Hello.")).samples).toHaveLength(3);
  });

  it("says so when it cannot start", async () => {
    const workerUrl = new URL("../fakes/no-such-worker.ts", import.meta.url);
    await expect(createLocalSynthesiser({ workerUrl })).rejects.toMatchObject({ code: "dependency_not_ready" });
  });
});
