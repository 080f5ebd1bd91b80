/** Describes how a vendor's voice sounds, by its name, so that a replacement can sound similar. */

export type Sound = "feminine" | "masculine" | "masculine-british";

/** First names in Azure's English neural voices and the names of OpenAI's. */
const feminine = new Set(
  (
    "jenny aria ava emma michelle ana amber ashley cora elizabeth jane nancy sara monica phoebe evelyn lola luna " +
    "amanda serena sonia libby abbi bella hollie maisie olivia natasha clara neerja nova shimmer coral sage alloy marin"
  ).split(" "),
);
const masculine = new Set(
  (
    "guy davis andrew brian tony jason eric jacob christopher roger steffan brandon derek dustin lewis samuel kai adam " +
    "william liam prabhat echo onyx ash ballad fable verse cedar"
  ).split(" "),
);
/** Male voices from Britain and Ireland. Any other male voice of those languages counts as one, too. */
const masculineBritish = new Set("ryan thomas alfie elliot ethan noah oliver connor".split(" "));

export function soundsLike(name: string): Sound | undefined {
  const first = firstNameOf(name);
  if (feminine.has(first) || /(^|\W)female/i.test(name)) return "feminine";
  const isBritish = /^en-(GB|IE)-/i.test(name);
  if (masculineBritish.has(first) || (isBritish && masculine.has(first))) return "masculine-british";
  return masculine.has(first) || /(^|\W)male/i.test(name) ? "masculine" : undefined;
}

/** `en-US-JennyMultilingualNeural` is jenny, `alloy` is alloy. */
export function firstNameOf(name: string): string {
  const words = name.replace(/^[a-z]{2,3}-[A-Z]{2}-/, "").match(/[A-Z]?[a-z]+/g) ?? [];
  return (words[0] ?? name).toLowerCase();
}

/** Always returns the same voice for the same name. */
export function pickVoice<Choice>(choices: readonly [Choice, ...Choice[]], name: string): Choice {
  let hash = 0;
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return choices[hash % choices.length] ?? choices[0];
}

/** `+3%` is 1.03; other notations are left to the vendors that understand them. */
export function relativeChange(change: string | undefined): number {
  const percent = /^\s*([+-]?\d+(?:\.\d+)?)\s*%\s*$/.exec(change ?? "")?.[1];
  return percent === undefined ? 1 : 1 + Number(percent) / 100;
}
