/** How the OpenAI speech adapters take what goes wrong at the other end, over real HTTP. */
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { AudioEngines } from "@voice/local/emulators/openai/audio-endpoints";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { speakingManners } from "@voice/local/emulators/openai/speaking-manners";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { createOpenAiRecogniser } from "@voice/streaming-host/providers/openai/speech/recogniser";
import { createOpenAiSynthesiser } from "@voice/streaming-host/providers/openai/speech/synthesiser";
import { afterEach, describe, expect, it } from "vitest";
import { tone } from "../../../local/emulators/tone-synthesiser.ts";
import { listen, play, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak } from "@voice/provider-kit/contracts/synthesiser.contract";
import { adapterAt, createLoudnessDetector } from "./openai-adapters.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const scripted = createScriptedRecogniser();
async function emulate(engines: Partial<AudioEngines> = {}, key?: string): Promise<OpenAiEmulator> {
  const audio = { recogniser: scripted, synthesiser: createToneSynthesiser(), ...engines };
  const emulator = await startOpenAiEmulator({ audio, ...(key !== undefined && { key }) });
  cleanups.push(() => emulator.close());
  return emulator;
}

function recogniserAt(emulator: OpenAiEmulator, model = "gpt-transcribe") {
  const retry = { maxAttempts: 0, backoffFactor: 1, jitter: false };
  const recogniser = createOpenAiRecogniser({
    ...adapterAt(emulator),
    retry,
    model,
    createDetector: createLoudnessDetector,
  });
  cleanups.push(() => recogniser.close());
  return recogniser;
}

function synthesiserAt(emulator: OpenAiEmulator, options: { readonly voiceInstead?: string } = {}) {
  const synthesiser = createOpenAiSynthesiser({
    ...adapterAt(emulator),
    model: "kokoro",
    rawRateHz: 24_000,
    ...options,
  });
  cleanups.push(() => synthesiser.close());
  return synthesiser;
}

describe("recognition", () => {
  it("asks with the names that the agent expects, and without a key where none is set", async () => {
    const emulator = await emulate();
    scripted.script("hello priya");
    const listener = await listen(recogniserAt(emulator), { hints: { examples: [], phrases: ["Priya"] } });
    play(listener.stream, tone(16_000, 600));
    play(listener.stream, silence(800));
    expect((await listener.final()).text).toBe("hello priya");
    const [seen] = emulator.audio;
    expect(seen?.body).toMatchObject({ keywords: ["Priya"], languages: ["en"], audio: { sampleRateHz: 16_000 } });
    expect(seen?.headers).not.toHaveProperty("authorization");
  });

  it("goes on without the parameters that a server refuses", async () => {
    const emulator = await emulate();
    scripted.script("hello", "again");
    emulator.failAudio(422);
    const listener = await listen(recogniserAt(emulator, "whisper-large-v3"));
    for (const count of [1, 2]) {
      play(listener.stream, tone(16_000, 600));
      play(listener.stream, silence(800));
      await listener.final(count);
    }
    expect(listener.finals.map(({ text }) => text)).toEqual(["hello", "again"]);
    expect(emulator.audio.map(({ body }) => body)).toMatchObject([
      { response_format: "json" },
      { response_format: "json" },
    ]);
  });

  it("asks for everything again after one conversation's parameters were refused, because other conversations need it", async () => {
    const emulator = await emulate();
    scripted.script("hello", "odd", "again");
    const listener = await listen(recogniserAt(emulator), { hints: { examples: [], phrases: ["Priya"] } });
    for (const count of [1, 2, 3]) {
      if (count === 2) emulator.failAudio(400);
      play(listener.stream, tone(16_000, 600));
      play(listener.stream, silence(800));
      await listener.final(count);
    }
    expect(emulator.audio.map(({ body }) => "keywords" in body)).toEqual([true, false, true]);
  });

  it("goes on asking for everything where a server refuses the audio however it is asked", async () => {
    const emulator = await emulate();
    scripted.script("hello");
    const recogniser = recogniserAt(emulator);
    emulator.failAudio(400, 400);
    const refused = await listen(recogniser, { hints: { examples: [], phrases: ["Priya"] } });
    play(refused.stream, tone(16_000, 600));
    play(refused.stream, silence(800));
    await expect(refused.final()).rejects.toMatchObject({ retryable: false });
    const next = await listen(recogniser, { hints: { examples: [], phrases: ["Priya"] } });
    play(next.stream, tone(16_000, 600));
    play(next.stream, silence(800));
    await next.final();
    expect(emulator.audio.map(({ body }) => body)).toMatchObject([{ keywords: ["Priya"] }]);
  });

  it("says so when the key is refused, in words for operators, too", async () => {
    const emulator = await emulate({}, "another-key");
    const recogniser = recogniserAt(emulator);
    const listener = await listen(recogniser);
    play(listener.stream, tone(16_000, 600));
    play(listener.stream, silence(800));
    await expect(listener.final()).rejects.toMatchObject({ code: "upstream_unavailable", retryable: false });
    expect(recogniser.pool()).toMatchObject({
      lastErrorCode: "upstream_unavailable",
      lastReason: "speech recognition's endpoint answered 401: its key or token is not accepted",
    });
  });

  it("lets the session open another stream when the server fails", async () => {
    const emulator = await emulate();
    const listener = await listen(recogniserAt(emulator));
    emulator.failAudio(500, 500);
    play(listener.stream, tone(16_000, 600));
    play(listener.stream, silence(800));
    await expect(listener.final()).rejects.toMatchObject({ code: "upstream_unavailable", retryable: true });
  });
});

describe("synthesis", () => {
  it("is asked for raw audio in the voice that sounds alike", async () => {
    const emulator = await emulate();
    await speak(synthesiserAt(emulator, { voiceInstead: "af_heart" }), "Hello there.", { sampleRateHz: 8_000 });
    expect(emulator.audio.map(({ body }) => body)).toEqual([
      { model: "kokoro", input: "Hello there.", voice: "af_heart", response_format: "pcm" },
    ]);
  });

  it("speaks with another voice when the server does not have the agent's, and asks only once", async () => {
    const emulator = await emulate({ voices: new Set(["af_heart"]) });
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    for (const text of ["One.", "Two."]) {
      const { samples } = await speak(synthesiser, text, { voice: { name: "am_nobody" } });
      expect(samples.length).toBeGreaterThan(0);
    }
    const voices = emulator.audio.map(({ body }) => ("voice" in body ? body.voice : undefined));
    expect(voices).toEqual(["am_nobody", "af_heart", "af_heart"]);
  });

  it("takes a voice from nobody but the agent that asked for it in a way that the server refuses", async () => {
    const emulator = await emulate();
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    emulator.failAudio(400);
    await speak(synthesiser, "Too fast.", { voice: { name: "am_brand", rate: "+99%" } });
    await speak(synthesiser, "As usual.", { voice: { name: "am_brand" } });
    const voices = emulator.audio.map(({ body }) => ("voice" in body ? body.voice : undefined));
    expect(voices.slice(-2)).toEqual(["af_heart", "am_brand"]);
  });

  it("gives a voice back that was refused only with everything else", async () => {
    const emulator = await emulate();
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    // In that voice, in another one, and as a WAV file.
    emulator.failAudio(400, 400, 400);
    await expect(speak(synthesiser, "Unspeakable.", { voice: { name: "am_brand" } })).rejects.toThrow("400");
    await speak(synthesiser, "As usual.", { voice: { name: "am_brand" } });
    expect(emulator.audio.map(({ body }) => ("voice" in body ? body.voice : undefined))).toEqual(["am_brand"]);
  });

  it("lets another voice speak for one that belongs to somebody else", async () => {
    const emulator = await emulate();
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    emulator.failAudio(403);
    await speak(synthesiser, "Hello.", { voice: { name: "voice_of_others" } });
    expect(synthesiser.pool().lastErrorCode).toBeUndefined();
  });

  it("is not reported as down because one agent's voice, and the one instead of it, are not there", async () => {
    const emulator = await emulate({ voices: new Set(["af_heart"]), statusOfUnknownVoice: 404 });
    const synthesiser = synthesiserAt(emulator);
    await expect(speak(synthesiser, "Hello.", { voice: { name: "am_nobody" } })).rejects.toMatchObject({
      code: "upstream_unavailable",
      retryable: false,
    });
    expect(synthesiser.pool().lastErrorCode).toBeUndefined();
  });

  it("is reported as down where the voice of the settings is not there, because that one speaks for many", async () => {
    const emulator = await emulate({ voices: new Set(["af_heart"]), statusOfUnknownVoice: 404 });
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "am_nobody" });
    await expect(speak(synthesiser, "Hello.", { voice: { name: "am_nobody" } })).rejects.toThrow("404");
    expect(synthesiser.pool().lastErrorCode).toBe("upstream_unavailable");
  });

  it("[SPEECH-5] asks for another format where a server refuses the one, and at once from then on", async () => {
    const emulator = await emulate();
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    emulator.failAudio(415);
    for (const text of ["One.", "Two."]) expect((await speak(synthesiser, text)).samples.length).toBeGreaterThan(0);
    expect(emulator.audio.map(({ body }) => "response_format" in body && body.response_format)).toEqual(["wav", "wav"]);
  });

  it("[SPEECH-5] reads every one of several clauses at once from a server that sends MP3 for raw samples", async () => {
    const speaking = speakingManners.find(({ server }) => server === "mp3-for-pcm");
    const emulator = await emulate({ speaking });
    const synthesiser = synthesiserAt(emulator);
    const clauses = await Promise.all(["One.", "Two.", "Three."].map((text) => speak(synthesiser, text)));
    for (const { samples } of clauses) expect(samples.length).toBeGreaterThan(0);
    const before = emulator.audio.length;
    await speak(synthesiser, "Four.");
    expect(emulator.audio.length - before).toBe(1);
  });

  it("[SPEECH-5] leaves speed out for the clause for which it is refused", async () => {
    const emulator = await emulate();
    const synthesiser = synthesiserAt(emulator, { voiceInstead: "af_heart" });
    emulator.failAudio(422, 422);
    await speak(synthesiser, "Fast.", { voice: { name: "af_heart", rate: "+20%" } });
    expect(emulator.audio.map(({ body }) => "speed" in body)).toEqual([false]);
  });

  it("[SPEECH-6] asks once more for words of which there is nothing but silence, and plays none of it", async () => {
    const silent = createToneSynthesiser();
    let asked = 0;
    const emulator = await emulate({
      synthesiser: {
        ...silent,
        synthesise: async (request, events, signal) => {
          asked += 1;
          if (asked === 2) return await silent.synthesise(request, events, signal);
          events.onAudio(new Int16Array(9_600));
        },
      },
    });
    const synthesiser = synthesiserAt(emulator);
    const { samples } = await speak(synthesiser, "Hello.", { sampleRateHz: 8_000 });
    expect(samples.length).toBeLessThan(2_400);
    asked = 2;
    await expect(speak(synthesiser, "Hello.")).rejects.toThrow("answered without audio");
  });

  it("tries once more when the server fails before the first sound", async () => {
    const emulator = await emulate();
    emulator.failAudio(503);
    const { samples } = await speak(synthesiserAt(emulator), "Hello.");
    expect(samples.length).toBeGreaterThan(0);
  });

  it("says so when nobody is there", async () => {
    const emulator = await emulate();
    await emulator.close();
    await expect(speak(synthesiserAt(emulator), "Hello.")).rejects.toMatchObject({
      code: "upstream_unavailable",
      reason: "speech synthesis's endpoint could not be reached",
    });
  });
});
