/** How the caller of a spoken dialogue speaks: whose voice, how fast, with pauses, over noise. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { fliteVoices, type FliteVoice } from "@voice/local-voice/synthesiser/voices";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { DialogueAction } from "./dialogue.ts";
import { speakText } from "../person/line-audio.ts";

export interface SpeakingStyle {
  readonly name: string;
  readonly voice: string;
  /** `en-US` where absent. */
  readonly language?: string;
  /** The rate in the synthesiser's format: "+20%" is faster. */
  readonly rate?: string;
  /** In the middle of every sentence of at least four words. */
  readonly pauseMs?: number;
  /** White noise all through the call, this far below the level of the speech. */
  readonly noiseDb?: number;
}

export interface CallerVoice {
  readonly synthesiser: Synthesiser;
  readonly style: SpeakingStyle;
}

/** The voice whose digits the local recogniser mistakes least. */
const defaultVoice: FliteVoice = "rms";

export function usualStyle(voice: FliteVoice = defaultVoice): SpeakingStyle {
  return { name: voice, voice };
}

/** Each style differs from the usual one in a single respect. */
export const variedStyles: readonly SpeakingStyle[] = [
  ...fliteVoices.filter((voice) => voice !== "kal16" && voice !== "kal").map(usualStyle),
  { name: "slow", voice: defaultVoice, rate: "-20%" },
  { name: "fast", voice: defaultVoice, rate: "+20%" },
  { name: "pauses", voice: defaultVoice, pauseMs: 400 },
  { name: "noise", voice: defaultVoice, noiseDb: 20 },
];

const fewestWords = 4;
/** A written "…" is a pause within a sentence, as of somebody who is thinking. */
const writtenPause = /\s*…\s*/;
const writtenPauseMs = 700;
/** The root mean square of what the voices say: 2,300 to 3,100 in sentences of two to seven words. */
const voiceLevel = 2800;

export async function speakInStyle(
  synthesiser: Synthesiser,
  style: SpeakingStyle,
  text: string,
  sampleRateHz: number,
): Promise<Int16Array> {
  const { voice, language, rate } = style;
  const pauseMs = writtenPause.test(text) ? writtenPauseMs : (style.pauseMs ?? 0);
  const silence = (ms: number): Int16Array => new Int16Array((sampleRateHz * ms) / 1000);
  const say = (words: string): Promise<Int16Array> =>
    speakText(synthesiser, { text: words, voice, language, rate, sampleRateHz });
  const [first, ...rest] = await Promise.all(partsOf(text, pauseMs).map(say));
  return joinSamples([first ?? silence(0), ...rest.flatMap((part) => [silence(pauseMs), part])]);
}

/** The noise around a caller who speaks in this way; undefined for silence. */
export function backgroundOf({ noiseDb }: SpeakingStyle): ((at: number) => number) | undefined {
  if (noiseDb === undefined) return undefined;
  // The noise is spread evenly from -1 to 1, so that its root mean square is 1/√3.
  const gain = voiceLevel * 10 ** (-noiseDb / 20) * Math.sqrt(3);
  return (at) => gain * whiteNoise(at);
}

/** What the caller makes heard with an action; undefined where it is typed, keyed or silence. */
export async function soundsOf(
  action: DialogueAction,
  { synthesiser, style }: CallerVoice,
  sampleRateHz: number,
): Promise<Int16Array | undefined> {
  if (action.kind === "cough") return cough(sampleRateHz);
  if (action.kind !== "say" && action.kind !== "unclear") return undefined;
  const spoken = await speakInStyle(synthesiser, style, action.text, sampleRateHz);
  // Reversed speech has the sounds of a voice but no words.
  return action.kind === "say" ? spoken : spoken.toReversed();
}

/** 200 ms of noise that fades. */
function cough(sampleRateHz: number): Int16Array {
  const length = sampleRateHz / 5;
  return Int16Array.from({ length }, (_, at) => 12_000 * whiteNoise(at) * (1 - at / length) ** 2);
}

/** Where the caller pauses. */
export function partsOf(text: string, pauseMs = 0): readonly string[] {
  if (writtenPause.test(text)) return text.split(writtenPause);
  const words = text.split(" ");
  if (pauseMs === 0 || words.length < fewestWords) return [text];
  const middle = Math.ceil(words.length / 2);
  return [words.slice(0, middle).join(" "), words.slice(middle).join(" ")];
}
