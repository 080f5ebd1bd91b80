/**
 * Chooses which of Flite's five voices replaces a vendor's voice: always the same one for the same name, so that an agent keeps its voice,
 * and different ones for different names where possible, so that a handoff is audible.
 */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import { firstNameOf, pickVoice, relativeChange, soundsLike } from "@voice/provider-kit/voices/sounds-like";

export const fliteVoices = ["slt", "rms", "awb", "kal16", "kal"] as const;
export type FliteVoice = (typeof fliteVoices)[number];

export interface FliteSettings {
  readonly voice: FliteVoice;
  /** Above 1 is slower. */
  readonly durationStretch: number;
  /** Above 1 is higher; `rms` ignores it. */
  readonly pitchShift: number;
}

/** `slt` is the only female voice, so female names share it at three pitches that a recogniser takes equally well. */
const femalePitches = [1, 1.1, 0.92] as const;

export function fliteSettings(voice: Voice): FliteSettings {
  const chosen = chooseVoice(voice.name);
  return {
    voice: chosen.voice,
    durationStretch: 1 / clamp(relativeChange(voice.rate), 0.5, 2),
    pitchShift: chosen.pitch * clamp(relativeChange(voice.pitch), 0.7, 1.5),
  };
}

function chooseVoice(name: string): { voice: FliteVoice; pitch: number } {
  const own = fliteVoices.find((voice) => voice === name.toLowerCase());
  if (own !== undefined) return { voice: own, pitch: 1 };

  const first = firstNameOf(name);
  const sound = soundsLike(name);
  if (sound === "feminine") return { voice: "slt", pitch: pitchOf(first) };
  // `awb` is the voice of a Scot.
  if (sound !== undefined) return { voice: sound === "masculine" ? "rms" : "awb", pitch: 1 };

  const voice = pickVoice(["slt", "rms", "awb"] as const, name);
  return { voice, pitch: voice === "slt" ? pitchOf(first) : 1 };
}

function pitchOf(name: string): number {
  return name === "jenny" ? 1 : pickVoice(femalePitches, name);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
