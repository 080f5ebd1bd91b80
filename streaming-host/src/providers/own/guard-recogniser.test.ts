import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { RecognitionEvents, RecognitionStream } from "@voice/provider-kit/ports/recogniser";
import type { VoiceError } from "@voice/shared/platform/errors";
import { expect, it } from "vitest";
import { z } from "zod";
import { guardRecogniser } from "./guard-recogniser.ts";

const final = { text: "i lost my card", startMs: 20, endMs: 900, language: "en-US" };
const hints = { examples: [], phrases: [] };

async function rig(own: Partial<RecognitionStream> = {}) {
  const told: unknown[] = [];
  const errors: VoiceError[] = [];
  const streams: RecognitionEvents[] = [];
  const stream = {
    write: () => undefined,
    flush: () => undefined,
    setHints: () => true,
    close: () => undefined,
    ...own,
  };
  const recogniser = guardRecogniser("mine", {
    sendsPieces: true,
    open(_options, events) {
      streams.push(events);
      return Promise.resolve(stream);
    },
    pool: () => emptyPool,
    close: async () => undefined,
  });
  const opened = await recogniser.open(
    { sampleRateHz: 16_000, language: "en-US", candidateLanguages: [], segmentationSilenceMs: 500, hints },
    {
      onPartial: (partial) => void told.push(partial),
      onFinal: (heard) => void told.push(heard),
      onSent: (audioMs) => void told.push(audioMs),
      onError: (error) => void errors.push(error),
    },
    new AbortController().signal,
  );
  /** As a module in JavaScript calls back, which no compiler has seen. */
  const give = (kind: "onPartial" | "onFinal", given: unknown): void =>
    streams[0]?.[kind](z.custom<typeof final>(() => true).parse(given));
  return { recogniser, opened, told, errors, give, own: streams[0] };
}

it("[PROVIDER-4e] hears what the port says as it is, and that only pieces are paid for", async () => {
  const { recogniser, told, errors, give, own } = await rig();
  give("onPartial", { ...final, text: "i lost" });
  give("onFinal", { ...final, sentence: "whole" });
  own?.onSent?.(900);
  expect(told).toEqual([{ ...final, text: "i lost" }, { ...final, sentence: "whole" }, 900]);
  expect(errors).toEqual([]);
  expect(recogniser.sendsPieces).toBe(true);
});

it.each([
  ["onFinal", undefined, "the provider mine gave a final that is none"],
  ["onFinal", "i lost my card", "the provider mine gave a final that is none"],
  [
    "onFinal",
    { ...final, startMs: Number.NaN },
    "the provider mine gave a final whose startMs is not what the port says",
  ],
  ["onPartial", { txt: "i lost" }, "the provider mine gave a partial whose text is not what the port says"],
] as const)(
  "[PROVIDER-4e] takes a stream for dead that calls %s with %j, because the process would have ended with it",
  async (kind, given, message) => {
    const { told, errors, give } = await rig();
    give(kind, given);
    give("onFinal", final);
    expect(errors.map(String)).toEqual([`VoiceError: ${message}`]);
    expect(told).toEqual([]);
  },
);

it("[PROVIDER-4e] takes a stream for dead that throws while it is written to, once", async () => {
  const write = () => {
    throw new TypeError("of somebody");
  };
  const { opened, errors } = await rig({ write });
  opened.write(new Int16Array(320));
  opened.write(new Int16Array(320));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ code: "upstream_unavailable", message: "the provider mine failed" });
});

it("[PROVIDER-4e] has no stream where a function of the port is missing", async () => {
  await expect(rig({ flush: z.custom<() => void>(() => true).parse(undefined) })).rejects.toThrow(
    "the provider mine opened a stream without flush",
  );
});

it("[PROVIDER-4e] tells nothing of a stream that is closed", async () => {
  const { opened, told, errors, give } = await rig();
  opened.close();
  give("onFinal", final);
  give("onFinal", undefined);
  expect([told, errors]).toEqual([[], []]);
});
