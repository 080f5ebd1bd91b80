import { expect, it } from "vitest";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { withNoise } from "./noise.ts";

const power = (samples: Int16Array): number => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;

it("is as far below the speech as was asked for, and the same every time", () => {
  const speech = Int16Array.from({ length: 16_000 }, (_, at) => 8000 * Math.sin(at / 7));
  const silence = new Int16Array(16_000);
  const noise = withNoise(silence, whiteNoise, { speech, snrDb: 20 });
  expect(10 * Math.log10(power(speech) / power(noise))).toBeCloseTo(20, 0);
  expect(withNoise(silence, whiteNoise, { speech, snrDb: 20 })).toEqual(noise);
});
