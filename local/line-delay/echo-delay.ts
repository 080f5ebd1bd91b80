/**
 * How much later a sound is heard again in another channel, told from how loud both are over time: what a telephone line
 * does to the wave itself does not matter. Pure.
 */

export interface EchoDelay {
  readonly delayMs: number;
  /** The correlation of the two loudness curves, from 0 to 1. */
  readonly likeness: number;
}

const hopMs = 5;
/** Lags that are looked at: the channel that repeats may also be ahead, where too much delay was taken into account. */
const earliestMs = -2000;
const latestMs = 4000;
/** An echo is at least this similar to its original, even over a bad line. Two people who talk with each other are less similar. */
const likenessOfEcho = 0.5;
/** With less sound than this, nothing can be concluded. */
const shortestMs = 500;

/** Undefined where the second channel does not repeat the first. */
export function findEcho(sound: Int16Array, echo: Int16Array, sampleRateHz: number): EchoDelay | undefined {
  const first = loudness(sound, sampleRateHz);
  const second = loudness(echo, sampleRateHz);
  if (first.filter((value) => value > 0).length * hopMs < shortestMs) return undefined;
  let best: EchoDelay = { delayMs: 0, likeness: 0 };
  for (let lag = earliestMs / hopMs; lag <= latestMs / hopMs; lag++) {
    const likeness = correlation(first, second, lag);
    if (likeness > best.likeness) best = { delayMs: lag * hopMs, likeness };
  }
  return best.likeness >= likenessOfEcho ? best : undefined;
}

/** About -60 dBFS: below it there is silence. */
const silentLevel = 33;

/** Decibels above silence for every hop, so that loud vowels do not drown the rest. */
function loudness(samples: Int16Array, sampleRateHz: number): Float64Array {
  const hop = Math.round((sampleRateHz * hopMs) / 1000);
  const curve = new Float64Array(Math.floor(samples.length / hop));
  for (let index = 0; index < curve.length; index++) {
    let energy = 0;
    for (let at = index * hop; at < (index + 1) * hop; at++) energy += (samples[at] ?? 0) ** 2;
    curve[index] = Math.max(0, 10 * Math.log10(energy / hop / silentLevel ** 2 + 1e-9));
  }
  return curve;
}

/** Pearson's, of what is left of both curves when the second is shifted back by so many hops. */
function correlation(first: Float64Array, second: Float64Array, lag: number): number {
  const from = Math.max(0, -lag);
  const to = Math.min(first.length, second.length - lag);
  const count = to - from;
  if (count * hopMs < shortestMs) return 0;
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const x = first[at] ?? 0;
    const y = second[at + lag] ?? 0;
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const spread = Math.sqrt((aa - (a * a) / count) * (bb - (b * b) / count));
  return spread > 0 ? (ab - (a * b) / count) / spread : 0;
}
