import { describe, expect, it } from "vitest";
import { bands, columns, createLogMel } from "./log-mel.ts";

/** A wavering tone that swells and fades, with some noise: the same samples in every language with 32-bit integers. */
function testSignal(count: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: count }, (_, at) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const tone = Math.sin((2 * Math.PI * (200 + 100 * Math.sin(at / 3000)) * at) / 16_000);
    return Math.round(8000 * tone * Math.abs(Math.sin(at / 5000)) + (seed / 2_147_483_648 - 0.5) * 600);
  });
}

/** Band, column and value, from `WhisperFeatureExtractor` of @huggingface/transformers 4. */
const reference: readonly { samples: number; figures: readonly (readonly [number, number, number])[] }[] = [
  {
    samples: 4000,
    figures: [
      [0, 0, 0.12171],
      [5, 400, 0.12171],
      [20, 799, 0.80434],
      [40, 700, 0.12171],
      [79, 780, 1.04019],
      [10, 610, 0.12171],
      [0, 799, 1.0565],
      [2, 790, 0.93015],
      [60, 797, 0.96041],
    ],
  },
  {
    samples: 32000,
    figures: [
      [0, 0, 0.54618],
      [5, 400, -0.0923],
      [20, 799, 0.72318],
      [40, 700, 0.51189],
      [79, 780, 0.70653],
      [10, 610, 0.82887],
      [0, 799, 0.72921],
      [2, 790, 0.51163],
      [60, 797, 0.56647],
    ],
  },
  {
    samples: 150000,
    figures: [
      [0, 0, 0.85512],
      [5, 400, 0.48037],
      [20, 799, 0.37433],
      [40, 700, 0.4856],
      [79, 780, 0.36993],
      [10, 610, 0.4109],
      [0, 799, 0.48353],
      [2, 790, 0.52226],
      [60, 797, 0.47086],
    ],
  },
];

describe("log-mel features", () => {
  it.each(reference)("are those of Whisper's feature extractor for $samples samples", ({ samples, figures }) => {
    const features = createLogMel().measure(testSignal(samples));
    expect(features).toHaveLength(bands * columns);
    for (const [band, column, figure] of figures)
      expect(features[band * columns + column], `band ${band}, column ${column}`).toBeCloseTo(figure, 4);
  });

  it("do not depend on what was measured before", () => {
    const logMel = createLogMel();
    const fresh = Float32Array.from(logMel.measure(testSignal(40_000)));
    logMel.measure(testSignal(128_000));
    expect(logMel.measure(testSignal(40_000))).toEqual(fresh);
  });
});
