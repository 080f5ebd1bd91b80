/** Modules in JavaScript are held by no compiler to what a port says. */
import { samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { writeMp3, writeWav } from "@voice/provider-kit/testing/audio-files";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardLanguageModel, guardSynthesiser } from "./guard-provider.ts";

const anything = z.custom<ModelEvent>(() => true);
const finished = { type: "finished", reason: "stop", usage: { inputTokens: 3, outputTokens: 2, model: "m" } };

async function eventsOf(...given: readonly unknown[]): Promise<readonly ModelEvent[]> {
  const own: LanguageModel = {
    async *stream() {
      for (const event of given) yield anything.parse(event);
    },
  };
  const request = { agent: { name: "a", rules: undefined, templateVars: {} }, messages: [], tools: [], memory: {} };
  const settings = { deploymentId: "d" };
  const heard: ModelEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of guardLanguageModel("mine", own).stream({ ...request, settings }, signal)) heard.push(event);
  return heard;
}

describe("a language model of one's own", () => {
  it("[PROVIDER-4d] is heard as it is, until it says that it has finished", async () => {
    const text = { type: "text-delta", text: "Hello." };
    const call = { type: "tool-call", call: { id: "1", name: "end_call", argumentsJson: "{" } };
    expect(await eventsOf(text, call, finished, text)).toEqual([text, call, finished]);
  });

  it("[PROVIDER-4c] fails with what is wrong, without quoting it, where it gives no event of the port", async () => {
    await expect(eventsOf("Hello, Ada.")).rejects.toThrow(
      "the provider mine gave something that is no event of a language model",
    );
    await expect(eventsOf({ type: "text-delta", text: 4412 })).rejects.toThrow(
      "the provider mine gave an event whose text is not what the port says",
    );
    await expect(eventsOf({ type: "tool-call", call: { id: "1", name: "look", arguments: {} } })).rejects.toMatchObject(
      {
        code: "upstream_unavailable",
        message: "the provider mine gave an event whose call.argumentsJson is not what the port says",
      },
    );
  });

  it("[PROVIDER-4d] has its tokens estimated where it counts them wrongly, because a turn could not end with them", async () => {
    const miscounted = { ...finished, usage: { inputTokens: Number.NaN, outputTokens: "2" } };
    expect(await eventsOf(miscounted)).toEqual([{ type: "finished", reason: "stop" }]);
  });
});

describe("a synthesiser of one's own", () => {
  const request = { text: "Hello.", voice: { name: "any" }, language: "en-US", sampleRateHz: 16_000 };
  const giving = (...pieces: readonly Int16Array[]): Synthesiser => ({
    async synthesise(_request, { onAudio }) {
      for (const piece of pieces) onAudio(piece);
    },
    pool: () => emptyPool,
    close: async () => undefined,
  });
  async function heardFrom(own: Synthesiser, heard: unknown[] = []): Promise<readonly unknown[]> {
    const events = { onAudio: (samples: Int16Array) => void heard.push(samples), onWord: () => undefined };
    await guardSynthesiser("mine", own).synthesise(request, events, new AbortController().signal);
    return heard;
  }

  it("[PROVIDER-4c] fails where it gives bytes for samples, because the caller would hear noise", async () => {
    const bytes = z.custom<Int16Array>(() => true).parse(Buffer.alloc(320));
    const heard: unknown[] = [];
    await expect(heardFrom(giving(bytes), heard)).rejects.toThrow("the provider mine gave audio that is no Int16Array");
    expect(heard).toEqual([]);
  });

  it("[SPEECH-5] fails where its samples are the bytes of a file, or of an error in words", async () => {
    const wav = writeWav(new Int16Array(400).fill(900), { sampleRateHz: 16_000 });
    const json = Buffer.from('{"error":{"message":"quota"}}  ');
    for (const [bytes, what] of [
      [wav, "wav"],
      [json, "text"],
      [writeMp3(4), "MP3"],
    ] as const) {
      const heard: unknown[] = [];
      await expect(heardFrom(giving(samplesFromBytes(bytes)), heard)).rejects.toThrow(`gave the bytes of ${what} as`);
      expect(heard).toEqual([]);
    }
    expect(await heardFrom(giving(new Int16Array(320).fill(7)))).toHaveLength(1);
  });

  it("[SPEECH-6] fails where it says words without a sound", async () => {
    await expect(heardFrom(giving())).rejects.toThrow("the provider mine gave no audio");
  });
});
