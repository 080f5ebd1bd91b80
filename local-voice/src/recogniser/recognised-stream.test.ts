import { expect, it } from "vitest";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { createDecoderPool } from "./decoder-pool.ts";
import { fakeDecoder, fakeDecoders } from "./fake-decoders.ts";
import { loadNoiseSuppression } from "./noise-suppressor.ts";
import type { CreateNoiseSuppressor } from "./noise-suppressor.ts";
import { createRecognitionEngine } from "./recognition-engine.ts";
import { createSecondOpinion } from "./second-opinion.ts";

const noise = (samples: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, at) => Math.round(1_000 * whiteNoise(at)));

/** What the recogniser of open words is given of a noise that is taken for speech, in 2 s. */
async function heardAt(sampleRateHz: number, suppressNoise?: CreateNoiseSuppressor): Promise<Int16Array> {
  const engine = createRecognitionEngine({
    createDetector: () => ({ isSpeech: () => true, close: () => undefined }),
    decoders: await createDecoderPool(
      { create: async () => fakeDecoder(() => ({ text: "", score: 0 })) },
      { warm: 1, max: 1 },
    ),
    secondOpinion: createSecondOpinion(fakeDecoders({})),
    suppressNoise,
  });
  const heard: Int16Array[] = [];
  const stream = engine.open({
    sampleRateHz,
    segmentationSilenceMs: 500,
    longestPauseMs: undefined,
    hints: { examples: ["yes"], phrases: [] },
    onSpeech: ({ samples }) => void heard.push(samples),
    onPartial: () => undefined,
    onFinal: () => undefined,
  });
  const line = noise(2 * sampleRateHz);
  for (let at = 0; at < line.length; at += sampleRateHz / 50) stream.write(line.slice(at, at + sampleRateHz / 50));
  stream.flush();
  stream.close();
  return heard.at(-1) ?? new Int16Array();
}

it("[SPEECH-27] is given the very samples of the caller unless noise is to be taken away", async () => {
  expect(await heardAt(16_000)).toEqual(noise(32_000));
});

it.each([8_000, 16_000, 48_000])(
  "[SPEECH-27] has noise at %i Hz taken away, and as much audio as before",
  async (rateHz) => {
    const [noisy, clean] = [await heardAt(rateHz), await heardAt(rateHz, await loadNoiseSuppression())];
    expect(clean).toHaveLength(noisy.length);
    const powerOf = (samples: Int16Array): number =>
      samples.subarray(16_000).reduce((sum, sample) => sum + sample ** 2, 0);
    expect(powerOf(clean)).toBeLessThan(powerOf(noisy) / 10);
  },
);
