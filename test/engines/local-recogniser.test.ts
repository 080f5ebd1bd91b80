import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { listen, play, recogniserContract, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak } from "@voice/provider-kit/contracts/synthesiser.contract";

let synthesiser: Synthesiser;
beforeAll(async () => {
  synthesiser = await createLocalSynthesiser();
});
afterAll(() => synthesiser.close());

recogniserContract({
  name: "local",
  create: () => createLocalRecogniser(),
  speak: async (text) => (await speak(synthesiser, text)).samples,
  sentences: ["I want to check my balance", "my card was stolen"],
});

describe("local recogniser", () => {
  it("gives up a stream that it cannot keep up with, and says so", async () => {
    const recogniser = await createLocalRecogniser({ warmDecoders: 1 });
    const listener = await listen(recogniser);
    play(listener.stream, silence(40_000));
    expect(listener.errors.map(({ code, retryable }) => [code, retryable])).toEqual([["upstream_timeout", true]]);
    expect(recogniser.pool().activeSessions).toBe(0);
    await recogniser.close();
  });

  it("answers later, and loses nothing, when more callers speak than there are decoders", async () => {
    const recogniser = await createLocalRecogniser({ warmDecoders: 1, maxDecoders: 1 });
    const { samples } = await speak(synthesiser, "yes please");
    const listeners = await Promise.all([0, 1, 2].map(() => listen(recogniser)));
    for (const { stream } of listeners) play(stream, samples);
    for (const { stream } of listeners) stream.flush();
    const finals = await Promise.all(listeners.map((listener) => listener.final()));
    expect(finals.map(({ text }) => text)).toEqual(["yes please", "yes please", "yes please"]);
    await recogniser.close();
  });

  it("understands a lone word wherever it begins within a frame", async () => {
    const recogniser = await createLocalRecogniser({ warmDecoders: 1 });
    const words = ["debit", "yes"];
    for (const word of words) {
      const { samples } = await speak(synthesiser, word);
      for (const offsetMs of [0, 5, 10, 15]) {
        const { stream, final } = await listen(recogniser, { hints: { examples: words, phrases: [] } });
        play(stream, silence(300 + offsetMs));
        play(stream, samples);
        stream.flush();
        expect((await final()).text, `${word} at ${offsetMs} ms`).toBe(word);
        stream.close();
      }
    }
    await recogniser.close();
  });

  it("frees the decoder of a caller who hangs up while speaking", async () => {
    const recogniser = await createLocalRecogniser({ warmDecoders: 1, maxDecoders: 1 });
    const { samples } = await speak(synthesiser, "yes please");
    const [first, second] = [await listen(recogniser), await listen(recogniser)];
    play(first.stream, samples);
    play(second.stream, samples);
    second.stream.flush();
    first.stream.close();
    expect((await second.final()).text).toBe("yes please");
    expect(first.finals).toEqual([]);
    await recogniser.close();
  });

  it("tells its streams when their thread dies, and serves the next from a new one", async () => {
    const workerUrl = new URL("../fakes/crashing-recognition-worker.ts", import.meta.url);
    const recogniser = await createLocalRecogniser({ workerUrl });
    const listener = await listen(recogniser);
    listener.stream.flush();
    await expect(listener.final()).rejects.toMatchObject({ name: "VoiceError", retryable: true });
    await expect.poll(() => recogniser.pool().ready).toBe(true);
    const next = await listen(recogniser);
    next.stream.close();
    await recogniser.close();
  });

  it("says so when it cannot start", async () => {
    const workerUrl = new URL("../fakes/no-such-worker.ts", import.meta.url);
    await expect(createLocalRecogniser({ workerUrl })).rejects.toMatchObject({ code: "dependency_not_ready" });
  });
});
