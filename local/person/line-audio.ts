/** Turns what a person says into the samples of a microphone: spoken by a synthetic voice, or read from a recording. */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { readFile } from "node:fs/promises";
import { mixToMono } from "@voice/provider-kit/audio/channels";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { WavAudio } from "@voice/provider-kit/audio/wav";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { PersonAction, SpokenAction } from "./action.ts";
import { UsageProblem } from "../command-line/usage-problem.ts";

const synthesisTimeoutMs = 15_000;

export interface SpokenText {
  readonly text: string;
  readonly voice: string;
  /** `en-US` where absent. */
  readonly language?: string | undefined;
  /** "+20%" is faster. */
  readonly rate?: string | undefined;
  readonly sampleRateHz: number;
}

export async function speakText(
  synthesiser: Synthesiser,
  { text, voice, language = "en-US", rate, sampleRateHz }: SpokenText,
): Promise<Int16Array> {
  const chunks: Int16Array[] = [];
  await synthesiser.synthesise(
    { text, voice: { name: voice, rate }, language, sampleRateHz },
    { onAudio: (samples) => chunks.push(samples), onWord: () => undefined },
    AbortSignal.timeout(synthesisTimeoutMs),
  );
  return joinSamples(chunks);
}

/** Everything that a person says: in one voice, apart from what is played. */
export function createVoice(
  synthesiser: Synthesiser,
  voice: string,
  recordings: ReadonlyMap<string, WavAudio>,
): (action: SpokenAction, sampleRateHz: number) => Promise<Int16Array> {
  return async (action, sampleRateHz) => {
    if (action.kind === "say") return speakText(synthesiser, { text: action.text, voice, sampleRateHz });
    const recording = recordings.get(action.path);
    if (recording === undefined) throw new UsageProblem(`cannot play ${action.path} here`);
    return toLineAudio(recording, sampleRateHz);
  };
}

/** The recordings of a script, by path. All are read at once, so that a missing file is noticed before anybody is called. */
export async function readRecordings(actions: readonly PersonAction[]): Promise<ReadonlyMap<string, WavAudio>> {
  const paths = new Set(actions.flatMap((action) => (action.kind === "play" ? [action.path] : [])));
  return new Map(await Promise.all([...paths].map(async (path) => [path, await readRecording(path)] as const)));
}

/** Mixed down and converted to the rate that the line wants. */
function toLineAudio({ samples, channels, sampleRateHz }: WavAudio, lineRateHz: number): Int16Array {
  return resampleAll(mixToMono(samples, channels), sampleRateHz, lineRateHz);
}

async function readRecording(path: string): Promise<WavAudio> {
  try {
    return decodeWav(await readFile(path));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "unreadable";
    throw new UsageProblem(`cannot use ${path}: ${why}`, { cause });
  }
}
