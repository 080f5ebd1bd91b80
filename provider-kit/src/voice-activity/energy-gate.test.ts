import { describe, expect, it } from "vitest";
import { EnergyGate } from "./energy-gate.ts";

const options = { marginDb: 8, minimumDb: -50 };
const levelAt = (db: number): number => 10 ** (db / 20);

describe("energy gate", () => {
  it("is closed for silence", () => {
    expect(new EnergyGate(options).isLoud(0)).toBe(false);
  });

  it("opens for a caller who speaks at once", () => {
    expect(new EnergyGate(options).isLoud(levelAt(-25))).toBe(true);
  });

  it("never opens below the minimum", () => {
    const gate = new EnergyGate(options);
    for (let frame = 0; frame < 200; frame++) gate.isLoud(levelAt(-80));
    expect(gate.isLoud(levelAt(-55))).toBe(false);
    expect(gate.isLoud(levelAt(-45))).toBe(true);
  });

  it("closes on steady noise once it has learned it, and still opens for speech over it", () => {
    const gate = new EnergyGate(options);
    const noisy = Array.from({ length: 200 }, () => gate.isLoud(levelAt(-30)));
    expect(noisy.at(0)).toBe(true);
    expect(noisy.slice(100)).not.toContain(true);
    expect(gate.isLoud(levelAt(-18))).toBe(true);
  });

  it("stays closed on steady noise of which frames are lost, and opens for speech that begins with one", () => {
    const gate = new EnergyGate(options);
    const noisy = Array.from({ length: 400 }, (_, at) =>
      at % 30 === 0 ? gate.isLoud(0, true) : gate.isLoud(levelAt(-30)),
    );
    expect(noisy.slice(100)).not.toContain(true);
    gate.isLoud(0, true);
    expect(gate.isLoud(levelAt(-18))).toBe(true);
  });

  it("forgets noise that ended", () => {
    const gate = new EnergyGate(options);
    for (let frame = 0; frame < 200; frame++) gate.isLoud(levelAt(-30));
    for (let frame = 0; frame < 3; frame++) gate.isLoud(levelAt(-60));
    expect(gate.isLoud(levelAt(-30))).toBe(true);
  });
});
