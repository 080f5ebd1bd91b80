/** The noise of a kitchen, mixed by the rule of the speech-to-intent benchmark, so that its published figures compare. */
import { join } from "node:path";
import { toSample } from "../../../../local/person/noise.ts";
import { leadSamples, padded } from "../lines.ts";
import type { Line } from "../lines.ts";
import { numbersFrom, readRecording } from "./recordings.ts";
import { commandSet } from "./sets.ts";

/** 128 ms: the rule compares the loudest such stretch of the speech with that of the noise. */
const stretchSamples = 2048;
/** Half of full scale, to which the rule brings what it has mixed. */
const loudestSample = 16_384;

export async function kitchenLines(people: string, snrsDb: readonly number[]): Promise<readonly Line[]> {
  const kitchen = await readRecording(join(people, commandSet.folder, "data", "noise", "kitchen.wav"));
  return snrsDb.map((snrDb) => ({
    name: `kitchen ${snrDb} dB`,
    carry(speech, recording = "") {
      const line = padded(speech);
      // The same place for the same recording, whatever else is measured in the same run.
      const start = Math.floor(numbersFrom(recording)() * (kitchen.length - line.length));
      const beside = kitchen.subarray(start + leadSamples, start + leadSamples + speech.length);
      const scale = Math.sqrt(loudestPower(speech) / (loudestPower(beside) * 10 ** (snrDb / 10)));
      const mixed = Float64Array.from(line, (sample, at) => sample + scale * (kitchen[start + at] ?? 0));
      const loudest = mixed.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1);
      return Int16Array.from(mixed, (sample) => toSample((sample * loudestSample) / loudest));
    },
  }));
}

function loudestPower(samples: Int16Array): number {
  let loudest = 1;
  for (let at = 0; at + stretchSamples <= samples.length; at += stretchSamples) {
    const power = samples.subarray(at, at + stretchSamples).reduce((sum, sample) => sum + sample ** 2, 0);
    loudest = Math.max(loudest, power);
  }
  return loudest;
}
