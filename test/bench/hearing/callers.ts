/**
 * Whose speech the recogniser is measured with. Its own synthesiser's voices prove little; the others are programs of
 * other kinds (formants, diphones, hidden Markov models), run as separate processes where they are installed:
 * `apt-get install espeak-ng festival festvox-kallpc16k festvox-kdlpc16k festvox-us-slt-hts`. Nothing of theirs is kept.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { kaiserWindow, sinc } from "@voice/provider-kit/audio/windowed-sinc";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { speakText } from "../../../local/person/line-audio.ts";

const run = promisify(execFile);
export const hearingRateHz = 16_000;

export interface Caller {
  readonly name: string;
  /** The product's own synthesiser. */
  readonly isOwn: boolean;
  readonly speak: (text: string) => Promise<Int16Array>;
}

/** The command line of one of the programs, which writes a WAV file. */
interface Program {
  readonly name: string;
  readonly command: (text: string, textFile: string, wavFile: string) => readonly [string, ...string[]];
}

const espeak = (voice: string, ...more: string[]): Program => ({
  name: `espeak ${[voice, ...more].join(" ")}`,
  command: (text, _textFile, wavFile) => ["espeak-ng", "-v", voice, ...more, "-w", wavFile, text],
});

const festival = (voice: string): Program => ({
  name: `festival ${voice}`,
  command: (_text, textFile, wavFile) => ["text2wave", textFile, "-o", wavFile, "-eval", `(voice_${voice})`],
});

/**
 * The voices with which the grammar's weights were chosen: other variants and other accents of the same programs than
 * those that measure.
 */
export const tuningPrograms: readonly Program[] = [
  espeak("en-us+m3", "-s", "150"),
  espeak("en-us+f2", "-s", "165"),
  espeak("en-gb-x-rp+f4", "-s", "160"),
  espeak("en-us+klatt2", "-s", "150", "-p", "40"),
  espeak("en-us+m5"),
  espeak("en-us-nyc+f5"),
  espeak("en-gb-x-gbclan+m1"),
  espeak("en-gb-x-gbcwmd+f1", "-s", "160"),
  espeak("en-029+m7"),
  festival("ked_diphone"),
];

/** Voices with which the weights were never chosen. */
export const heldOutPrograms: readonly Program[] = [
  espeak("en-us"),
  espeak("en-us+f3"),
  espeak("en-gb"),
  espeak("en-gb-scotland+m3"),
  festival("kal_diphone"),
  festival("cmu_us_slt_arctic_hts"),
];

export function ownCaller(synthesiser: Synthesiser, voice: string): Caller {
  return {
    name: `own ${voice}`,
    isOwn: true,
    speak: (text) => speakText(synthesiser, { text, voice, sampleRateHz: hearingRateHz }),
  };
}

/** Undefined where the program is not installed. */
export async function otherCaller({ name, command }: Program): Promise<Caller | undefined> {
  const speak = (text: string): Promise<Int16Array> => speakWith(command, text);
  try {
    await speak("hello");
  } catch {
    return undefined;
  }
  return { name, isOwn: false, speak };
}

async function speakWith(command: Program["command"], text: string): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), "hearing-"));
  try {
    const [textFile, wavFile] = [join(folder, "text"), join(folder, "audio.wav")];
    await writeFile(textFile, text);
    const [program, ...args] = command(text, textFile, wavFile);
    await run(program, args, { timeout: 20_000 });
    const { samples, sampleRateHz } = decodeWav(await readFile(wavFile));
    return levelled(atHearingRate(samples, sampleRateHz));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Programs write at rates of their own, 22,050 Hz among them, which no transport has. */
function atHearingRate(samples: Int16Array, rateHz: number): Int16Array {
  const step = rateHz / hearingRateHz;
  const reach = 16 * Math.max(1, step);
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const centre = index * step;
    let sum = 0;
    for (let at = Math.ceil(centre - reach); at <= centre + reach; at++) {
      const offset = (at - centre) / Math.max(1, step);
      sum += (samples[at] ?? 0) * sinc(offset) * kaiserWindow(offset / 16, 6);
    }
    return Math.round(sum / Math.max(1, step));
  });
}

/** Brought to the loudness of the product's own voices, so that the voice is measured and not its loudness. */
function levelled(samples: Int16Array): Int16Array {
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
  return samples.map((sample) => Math.round((sample * 16_000) / loudest));
}
