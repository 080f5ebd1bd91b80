/**
 * Plays speech slower or faster, so that its formants become lower or higher: a short vocal tract then sounds as long as those with which
 * the recogniser was trained. The duration of the sounds matters less to it. Pure.
 */
import { kaiserWindow, sinc } from "@voice/provider-kit/audio/windowed-sinc";

/** Zero crossings on either side: more than a recogniser needs. */
const reach = 12;
const beta = 6;
/** The number of kernel positions between two samples. */
const phases = 64;

/** `pace` below 1 is slower. */
export function atPace(samples: Int16Array, pace: number): Int16Array {
  const cutoff = Math.min(1, 1 / pace);
  const width = 2 * reach;
  const kernels = Array.from({ length: phases + 1 }, (_, phase) =>
    Float64Array.from({ length: width }, (_value, tap) => {
      const offset = tap - reach + 1 - phase / phases;
      return cutoff * sinc(offset * cutoff) * kaiserWindow(offset / reach, beta);
    }),
  );
  return Int16Array.from({ length: Math.floor(samples.length / pace) }, (_, index) => {
    const centre = index * pace;
    const whole = Math.floor(centre);
    const kernel = kernels[Math.round((centre - whole) * phases)];
    let sum = 0;
    for (let tap = 0; tap < width; tap++) sum += (samples[whole - reach + 1 + tap] ?? 0) * (kernel?.[tap] ?? 0);
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
}
