import { expect, it } from "vitest";
import { crossCorrelation } from "./cross-correlation.ts";

it("the correlation is the sum of products at every offset", () => {
  const wave = (count: number, seed: number): Float32Array =>
    Float32Array.from({ length: count }, (_, index) => Math.sin(index * seed) * 1000 + ((index * 7919 * seed) % 13));
  const [short, long] = [wave(480, 0.37), wave(1880, 0.91)];
  const found = crossCorrelation(short, long);
  for (const offset of [0, 1, 77, 700, 1399, 1400]) {
    const sum = short.reduce((total, sample, index) => total + sample * (long[offset + index] ?? 0), 0);
    expect(found[2 * offset]).toBeCloseTo(sum, 2);
  }
});
