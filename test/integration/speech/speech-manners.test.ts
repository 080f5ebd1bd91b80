/**
 * Every manner of speech servers that is known, over real HTTP: the ports keep their promises with each, and the table that users read
 * names each with its source.
 */
import { readFile } from "node:fs/promises";
import { startOpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import type { OpenAiEmulator } from "@voice/local/emulators/openai/emulator";
import { hearingManners } from "@voice/local/emulators/openai/hearing-manners";
import { speakingManners } from "@voice/local/emulators/openai/speaking-manners";
import { createScriptedRecogniser } from "@voice/local/emulators/scripted-recogniser";
import { createToneSynthesiser } from "@voice/local/emulators/tone-synthesiser";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { heard, listen, play, recogniserContract, silence } from "@voice/provider-kit/contracts/recogniser.contract";
import { speak, synthesiserContract } from "@voice/provider-kit/contracts/synthesiser.contract";
import type { CreateVoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { createOpenAiRecogniser } from "@voice/streaming-host/providers/openai/speech/recogniser";
import { createOpenAiSynthesiser } from "@voice/streaming-host/providers/openai/speech/synthesiser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tone } from "../../../local/emulators/tone-synthesiser.ts";
import { createDurationRecogniser } from "../../fakes/duration-recogniser.ts";
import { spokenLine } from "../../support/speech-engines.ts";
import { adapterAt, createLoudnessDetector } from "./openai-adapters.ts";

const sentences = ["I want to check my balance", "my card was stolen"] as const;
const spoken = new Map<string, Int16Array>();
let createDetector: CreateVoiceActivityDetector;
const emulators: OpenAiEmulator[] = [];

beforeAll(async () => {
  for (const text of sentences) spoken.set(text, await spokenLine({ text, voice: "slt", sampleRateHz: 16_000 }));
  createDetector = await loadVoiceActivity();
});
afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

async function serve(audio: NonNullable<Parameters<typeof startOpenAiEmulator>[0]>["audio"]): Promise<OpenAiEmulator> {
  const emulator = await startOpenAiEmulator(audio === undefined ? {} : { audio });
  emulators.push(emulator);
  return emulator;
}

async function synthesiserOf(server: string) {
  const speaking = speakingManners.find((manner) => manner.server === server);
  const emulator = await serve({
    recogniser: createScriptedRecogniser(),
    synthesiser: createToneSynthesiser({ followsRate: true }),
    speaking,
  });
  return createOpenAiSynthesiser({ ...adapterAt(emulator), model: "tts", rawRateHz: 24_000 });
}

for (const { server } of speakingManners.filter(({ isUnreadable }) => isUnreadable !== true))
  synthesiserContract({ name: `a server like ${server}`, create: () => synthesiserOf(server) });

describe("a voice", () => {
  const readable = speakingManners.filter(({ isUnreadable }) => isUnreadable !== true).map(({ server }) => server);

  it.each(readable)(
    "[SPEECH-1] sounds the same from a server like %s: as long, as high and as loud, without a click",
    async (server) => {
      const synthesiser = await synthesiserOf(server);
      for (const _clause of [1, 2]) {
        const { samples } = await speak(synthesiser, "one two three four", { sampleRateHz: 16_000 });
        expect(samples.length / 16_000).toBeCloseTo(1, 1);
        let steepest = 0;
        let waves = 0;
        let isBelow = false;
        for (let at = 1; at < samples.length; at++) {
          const [before = 0, now = 0] = [samples[at - 1], samples[at]];
          steepest = Math.max(steepest, Math.abs(now - before));
          // A filter rings where a word's hum begins, which is no wave.
          if (now > 1000 && isBelow) waves++;
          if (Math.abs(now) > 1000) isBelow = now < 0;
        }
        // 220 Hz at 8,000: a click would be a step, and another rate another number of waves.
        expect(Math.max(...samples)).toBeGreaterThan(7_500);
        expect(Math.max(...samples)).toBeLessThan(8_800);
        expect(steepest).toBeLessThan(5_000);
        expect(Math.abs(waves - 0.8 * 220)).toBeLessThan(8);
        expect(rmsLevel(samples)).toBeGreaterThan(0.13);
      }
      await synthesiser.close();
    },
  );

  it.each(speakingManners.filter(({ isUnreadable }) => isUnreadable === true).map(({ server }) => server))(
    "[SPEECH-5] is not heard at all from a server like %s, and operators are told why",
    async (server) => {
      const synthesiser = await synthesiserOf(server);
      const pieces: Int16Array[] = [];
      const request = { text: "Hello there.", voice: { name: "alloy" }, language: "en-US", sampleRateHz: 16_000 };
      const events = { onAudio: (samples: Int16Array) => void pieces.push(samples), onWord: () => undefined };
      const failure = synthesiser.synthesise(request, events, new AbortController().signal);
      await expect(failure).rejects.toMatchObject({
        code: "upstream_unavailable",
        reason: expect.stringMatching(/answered (MP3; set its response format to pcm or wav|JSON in place of audio)/),
      });
      expect(pieces).toEqual([]);
      expect(synthesiser.pool().lastReason).toMatch(/answered (MP3|JSON)/);
      await synthesiser.close();
    },
  );
});

for (const manner of hearingManners.filter(({ isUnknown }) => isUnknown !== true))
  recogniserContract({
    name: `a server like ${manner.server}`,
    create: async () => {
      const texts = new Map([...spoken].map(([text, samples]) => [heard(text), samples]));
      const emulator = await serve({
        recogniser: createDurationRecogniser(texts),
        synthesiser: createToneSynthesiser(),
        hearing: manner,
      });
      const model = manner.server === "openai" ? "gpt-transcribe" : "whisper-large-v3";
      return createOpenAiRecogniser({ ...adapterAt(emulator), model, createDetector });
    },
    speak: (text) => Promise.resolve(spoken.get(text) ?? new Int16Array(0)),
    sentences,
  });

describe("words", () => {
  const answered = hearingManners.filter(({ server }) => server !== "silent");

  it.each(answered.filter(({ isUnknown }) => isUnknown !== true))(
    "[SPEECH-9] are none where a server like $server heard nothing but a sound",
    async (hearing) => {
      const recogniser = createScriptedRecogniser();
      // A server that fails over the format is asked twice.
      recogniser.script("", "", "");
      const emulator = await serve({ recogniser, synthesiser: createToneSynthesiser(), hearing });
      const adapter = createOpenAiRecogniser({
        ...adapterAt(emulator),
        model: "whisper-1",
        createDetector: createLoudnessDetector,
      });
      const listener = await listen(adapter);
      play(listener.stream, tone(16_000, 600));
      play(listener.stream, silence(800));
      expect((await listener.final()).text).toBe("");
      await adapter.close();
    },
  );

  it.each(answered.filter(({ isUnknown }) => isUnknown === true))(
    "[SPEECH-7] are not known, which is not the same as none, from a server like $server",
    async (hearing) => {
      const recogniser = createScriptedRecogniser();
      recogniser.script("hello", "hello", "hello", "hello");
      const emulator = await serve({ recogniser, synthesiser: createToneSynthesiser(), hearing });
      const retry = { maxAttempts: 0, backoffFactor: 1, jitter: false };
      const adapter = createOpenAiRecogniser({
        ...adapterAt(emulator),
        retry,
        model: "whisper-1",
        createDetector: createLoudnessDetector,
      });
      const listener = await listen(adapter);
      play(listener.stream, tone(16_000, 600));
      play(listener.stream, silence(800));
      await expect(listener.final()).rejects.toMatchObject({ code: "upstream_unavailable" });
      expect(listener.finals).toEqual([]);
      await adapter.close();
    },
  );
});

it("[SPEECH-10] names every manner, with the server and the source, in the documentation", async () => {
  const page = await readFile("docs/models.md", "utf8");
  const missing = [...speakingManners, ...hearingManners].filter(
    ({ server, manner, source }) =>
      !page.includes(`| \`${server}\``) || !page.includes(manner) || !page.includes(source),
  );
  expect(missing.map(({ server, manner }) => `${server}: ${manner}`)).toEqual([]);
});
