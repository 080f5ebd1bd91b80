/**
 * Which of Flite's five voices stands in for a vendor's voice. Always the same one for the same name, so that an agent
 * keeps its voice; different names sound different where Flite allows it, so that a handover can be heard.
 */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";

export const fliteVoices = ["slt", "rms", "awb", "kal16", "kal"] as const;
export type FliteVoice = (typeof fliteVoices)[number];

export interface FliteSettings {
  readonly voice: FliteVoice;
  /** Above 1 is slower. */
  readonly durationStretch: number;
  /** Above 1 is higher; `rms` ignores it. */
  readonly pitchShift: number;
}

/** First names in Azure's English neural voices and the names of OpenAI's. */
const feminine = new Set(
  (
    "jenny aria ava emma michelle ana amber ashley cora elizabeth jane nancy sara monica phoebe evelyn lola luna " +
    "amanda serena sonia libby abbi bella hollie maisie olivia natasha clara neerja nova shimmer coral sage alloy"
  ).split(" "),
);
const masculine = new Set(
  (
    "guy davis andrew brian tony jason eric jacob christopher roger steffan brandon derek dustin lewis samuel kai adam " +
    "william liam prabhat echo onyx ash ballad fable verse"
  ).split(" "),
);
/** Male voices from Britain and Ireland get `awb`, who is a Scot; so does every other male voice of those languages. */
const masculineBritish = new Set("ryan thomas alfie elliot ethan noah oliver connor".split(" "));

/** `slt` is the only female voice, so female names share it at three pitches that a recogniser takes equally well. */
const femalePitches = [1, 1.1, 0.92] as const;

export function fliteSettings(voice: Voice): FliteSettings {
  const chosen = chooseVoice(voice.name);
  return {
    voice: chosen.voice,
    durationStretch: 1 / clamp(relative(voice.rate), 0.5, 2),
    pitchShift: chosen.pitch * clamp(relative(voice.pitch), 0.7, 1.5),
  };
}

function chooseVoice(name: string): { voice: FliteVoice; pitch: number } {
  const own = fliteVoices.find((voice) => voice === name.toLowerCase());
  if (own !== undefined) return { voice: own, pitch: 1 };

  // en-US-JennyMultilingualNeural -> jenny; alloy -> alloy
  const british = /^en-(GB|IE)-/i.test(name);
  const words = name.replace(/^[a-z]{2,3}-[A-Z]{2}-/, "").match(/[A-Z]?[a-z]+/g) ?? [];
  const first = (words[0] ?? name).toLowerCase();
  if (feminine.has(first) || /(^|\W)female/i.test(name)) return { voice: "slt", pitch: pitchOf(first) };
  if (masculineBritish.has(first) || (british && masculine.has(first))) return { voice: "awb", pitch: 1 };
  if (masculine.has(first) || /(^|\W)male/i.test(name)) return { voice: "rms", pitch: 1 };

  const voice = pick(["slt", "rms", "awb"] as const, name);
  return { voice, pitch: voice === "slt" ? pitchOf(first) : 1 };
}

function pitchOf(name: string): number {
  return name === "jenny" ? 1 : pick(femalePitches, name);
}

function pick<Choice>(choices: readonly [Choice, ...Choice[]], name: string): Choice {
  let hash = 0;
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return choices[hash % choices.length] ?? choices[0];
}

/** `+3%` is 1.03; anything else that is written there is left to the vendors who understand it. */
function relative(change: string | undefined): number {
  const percent = /^\s*([+-]?\d+(?:\.\d+)?)\s*%\s*$/.exec(change ?? "")?.[1];
  return percent === undefined ? 1 : 1 + Number(percent) / 100;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
