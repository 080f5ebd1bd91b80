/** A sentence with a pause in it, as somebody says it who has not finished: cut out of the whole sentence, not two of them. */
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { lastAudibleSample } from "../../local/person/audible.ts";

const rateHz = 16_000;

export async function withPause(
  synthesiser: Synthesiser,
  options: { readonly voice: string; readonly first: string; readonly second: string; readonly pauseMs: number },
): Promise<Int16Array> {
  const { voice, first, second, pauseMs } = options;
  const chunks: Int16Array[] = [];
  let cutMs = 0;
  await synthesiser.synthesise(
    { text: `${first} ${second}`, voice: { name: voice }, language: "en-US", sampleRateHz: rateHz },
    {
      onAudio: (samples) => chunks.push(samples),
      onWord({ textOffset, textLength, endMs }) {
        if (textOffset + textLength <= first.length) cutMs = endMs;
      },
    },
    AbortSignal.timeout(15_000),
  );
  const whole = Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
  const cut = quietestNear(whole, (cutMs * rateHz) / 1000);
  const before = whole.subarray(0, cut);
  const after = whole.subarray(cut, lastAudibleSample(whole) + 1);
  const silence = Math.round((pauseMs * rateHz) / 1000);
  const paused = new Int16Array(before.length + silence + after.length);
  paused.set(before);
  paused.set(after, before.length + silence);
  return paused;
}

/** Between two words, so that the cut does not click. */
function quietestNear(samples: Int16Array, around: number): number {
  let best = Math.round(around);
  let least = Infinity;
  for (let at = Math.round(around) - 480; at <= around + 480; at += 16) {
    let energy = 0;
    for (let index = at - 80; index < at + 80; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) [best, least] = [at, energy];
  }
  return best;
}
