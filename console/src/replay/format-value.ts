/** Values of the turn machine as people read them: no JSON, units where they have one. */
import type { ReplayedStep } from "@voice/streaming-host/session/flight/replay-flight";

import { displayName } from "../display-name.ts";

type UserTurn = ReplayedStep["state"]["user"];

/** 0 to 1. */
const shares: ReadonlySet<string> = new Set(["probability", "voice"]);

/** `Stopped`, `Wait`, `Turn id`: without the unit, which is said with the value. */
export function nameInWords(name: string): string {
  return displayName(name.replace(/Ms$/, ""));
}

export function valueInWords(name: string, value: unknown): string {
  if (typeof value === "number") return numberInWords(name, value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value === "Infinity" ? "no end known" : codeInWords(value);
  if (Array.isArray(value)) return value.map((item: unknown) => valueInWords(name, item)).join(", ");
  if (typeof value === "object" && value !== null) return factsInWords(value);
  return "";
}

/** `Probability 97 %, wait 240 ms`: what is undefined is left out. */
export function factsInWords(values: object): string {
  const facts = Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const words = valueInWords(name, value);
    return words === "" ? [] : [`${nameInWords(name).toLowerCase()} ${words}`];
  });
  const text = facts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function durationInWords(ms: number): string {
  if (!Number.isFinite(ms)) return "no end known";
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** A time of the session's clock, which begins with its host, as a time of day. */
export type TimeOfDay = (sessionMs: number) => string;

export function shareInWords(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `Turn 3` of `turn-3`. */
export function turnInWords(turnId: string): string {
  return displayName(turnId.replaceAll("-", " "));
}

/** Empty if it never happened. */
export function timesInWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "once" : `${count} times`;
}

export function quoted(text: string): string {
  return text === "" ? "" : `“${text}”`;
}

const sentences: Readonly<Record<NonNullable<UserTurn["sentence"]>, string>> = {
  whole: "A whole sentence",
  "whole-so-far": "A whole sentence that may go on",
  beginning: "The beginning of a sentence",
};

export function sentenceInWords(sentence: UserTurn["sentence"]): string {
  return sentence === undefined ? "" : sentences[sentence];
}

/** The rates, because what counts as falling is the estimator's business. */
export function prosodyInWords(prosody: UserTurn["prosody"]): string {
  const { pitchSlope, energySlope, overNoiseDb } = prosody ?? {};
  const parts = [
    pitchSlope === undefined ? [] : `pitch ${changeInWords(pitchSlope)} semitones per second`,
    energySlope === undefined ? [] : `loudness ${changeInWords(energySlope)} dB per second`,
    overNoiseDb === undefined ? [] : `${overNoiseDb.toFixed(0)} dB above the noise`,
  ].flat();
  const text = parts.join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function changeInWords(slope: number): string {
  return `${slope < 0 ? "fell by" : "rose by"} ${Math.abs(slope).toFixed(1)}`;
}

/** `whole sentence` of `whole_sentence`; other words stay as they are. */
function codeInWords(text: string): string {
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll("_", " ") : text;
}

function numberInWords(name: string, value: number): string {
  if (name.endsWith("Ms")) return durationInWords(value);
  if (shares.has(name)) return `${Math.round(value * 100)} %`;
  return Number.isFinite(value) ? String(Number(value.toFixed(2))) : "no end known";
}
