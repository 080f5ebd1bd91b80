/** A `Recogniser` that knows sentences by how long it takes to say them: what is flushed is the nearest one. */
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";

const loud = 500;

/** Milliseconds from the first loud sample to the last. */
function saidFor(samples: readonly number[], sampleRateHz: number): number {
  const first = samples.findIndex((sample) => Math.abs(sample) > loud);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > loud);
  return ((last - first) * 1000) / sampleRateHz;
}

/** Each sentence, said by somebody at 16 kHz. */
export function createDurationRecogniser(sentences: ReadonlyMap<string, Int16Array>): Recogniser {
  const durations = [...sentences].map(([text, samples]) => ({ text, ms: saidFor([...samples], 16_000) }));
  return {
    open: ({ sampleRateHz, language }, events) => {
      const heard: number[] = [];
      return Promise.resolve({
        write: (samples) => void heard.push(...samples),
        flush() {
          const ms = saidFor(heard, sampleRateHz);
          const [nearest] = durations.toSorted((a, b) => Math.abs(a.ms - ms) - Math.abs(b.ms - ms));
          events.onFinal({ text: nearest?.text ?? "", startMs: 0, endMs: ms, language });
        },
        setHints: () => true,
        close: () => undefined,
      });
    },
    pool: () => emptyPool,
    close: () => Promise.resolve(),
  };
}
