/**
 * Decides whether the microphone picks up the agent's own voice from the caller's loudspeaker. It compares the newest stretch of audio with
 * what the agent said a little earlier, by normalised cross-correlation at a low rate. It detects echo, and does not remove it. A search
 * over all delays takes 0.2 ms and happens at onsets only; until then the microphone's frames cost nothing.
 * Measured with synthetic voices: echo correlates with 0.9, and with 0.54 to 0.9 if half of it is reverberation. Another voice correlates
 * by chance with more than 0.56 in 5 % of stretches over all delays, with 0.68 in 1 %, and far less at a known delay.
 */
import { crossCorrelation } from "./cross-correlation.ts";
import type { RecentAudio } from "./recent-audio.ts";

/** Retains the first formant, which every telephone transmits. */
const rateHz = 2000;
const windowSamples = (240 * rateHz) / 1000;
/** The network in both directions, including its jitter buffers. */
const maxDelaySamples = (700 * rateHz) / 1000;
/** The stretch that is compared, plus a second of audio that is sent ahead of time. */
const agentRingSamples = 4096;
/** The microphone's audio at 16 kHz: the stretch that is compared, and the sample at the low rate before it. */
const microphoneRateHz = 16_000;
const microphoneEach = microphoneRateHz / rateHz;
export const echoWindowSamples = (windowSamples + 1) * microphoneEach;
/** One for all detectors: it is read before anything else runs. */
const newestOfMicrophone = new Int16Array(echoWindowSamples);
/** Once found, a delay changes only as much as jitter buffers do. */
const delayToleranceSamples = (20 * rateHz) / 1000;
/** Two clicks correlate perfectly. A voice fills at least this many of the stretch's 20 ms parts. */
const voicedParts = 3;
const partSamples = (20 * rateHz) / 1000;
/**
 * -72 dBFS: one step of a telephone's mu-law. Nobody understands a voice as quiet as this, so a quieter line is not searched for echo. The
 * search would be most of the delay before an interruption.
 */
const faintest = 8;
/** For the stretch being examined; also one for all detectors. */
const partEnergies = new Float64Array(windowSamples / partSamples);
const anywhere = 0.65;
const atKnownDelay = 0.4;
/** 5 dB: a sound that is this much louder than the echo so far is not echo alone. */
const louderThanEcho = 3;
/** The weight of the newest stretch in the running loudness of the echo, which the caller may change with the volume key. */
const newestShare = 0.2;

interface Comparison {
  readonly said: Float32Array;
  /** The product at an offset in `said` is at twice that index. */
  readonly products: Float64Array;
  readonly heardEnergy: number;
}

interface Likeness {
  readonly value: number;
  readonly delay: number;
  readonly loudness: number;
}

export class EchoDetector {
  readonly #agent = new Ring(agentRingSamples);
  readonly #microphone: RecentAudio;
  #knownDelay: number | undefined;
  /** The energy of the echo relative to the energy of the agent's audio. */
  #knownLoudness: number | undefined;

  /** `microphone`: its audio at 16 kHz without gaps; it retains at least `echoWindowSamples`. */
  constructor(microphone: RecentAudio) {
    this.#microphone = microphone;
  }

  /** The agent's audio, and when the caller hears it. */
  agentSays(frame: Int16Array, frameRateHz: number, playsAtMs: number): void {
    this.#agent.write(frame, frameRateHz, toSamples(playsAtMs));
  }

  /** The agent was audible so recently that its echo may still arrive. */
  mayEcho(nowMs: number): boolean {
    return toSamples(nowMs) - this.#agent.end < maxDelaySamples;
  }

  /** Whether the newest 240 ms are the agent's own voice. */
  isEcho(nowMs: number): boolean {
    const comparison = this.#compare(toSamples(nowMs));
    if (comparison === undefined) return false;
    const known = this.#knownDelay;
    const again =
      known === undefined
        ? undefined
        : likeness(comparison, known - delayToleranceSamples, known + delayToleranceSamples);
    const isWhereItWas = again !== undefined && again.value >= atKnownDelay;
    const found = isWhereItWas ? again : likeness(comparison, 0, maxDelaySamples);
    if (!isWhereItWas && found.value < anywhere) return false;
    this.#knownDelay = found.delay;
    const loudness = (isWhereItWas ? this.#knownLoudness : undefined) ?? found.loudness;
    const isLouder = found.loudness > loudness * louderThanEcho;
    this.#knownLoudness = loudness + (Math.min(found.loudness, 2 * loudness) - loudness) * newestShare;
    return !isLouder;
  }

  /** For the newest stretch: the products of the two signals at each delay, and the agent's energy there. */
  #compare(now: number): Comparison | undefined {
    this.#microphone.read(newestOfMicrophone);
    const heard = differences(newestOfMicrophone);
    if (!isSustained(heard)) return undefined;
    const said = this.#agent.between(now - windowSamples - maxDelaySamples, now);
    const products = crossCorrelation(heard, said);
    let heardEnergy = 0;
    for (const sample of heard) heardEnergy += sample * sample;
    return { said, products, heardEnergy };
  }
}

/** How well the agent's audio at some earlier time explains the newest stretch, 0 to 1, and how loud it returned. */
function likeness({ said, products, heardEnergy }: Comparison, fromDelay: number, toDelay: number): Likeness {
  const first = maxDelaySamples - Math.min(toDelay, maxDelaySamples);
  const last = maxDelaySamples - Math.max(fromDelay, 0);
  let saidEnergy = 0;
  for (let index = first; index < first + windowSamples; index++) saidEnergy += (said[index] ?? 0) ** 2;
  let best: Likeness = { value: 0, delay: fromDelay, loudness: 0 };
  for (let offset = first; offset <= last; offset++) {
    // A loudspeaker may invert the wave.
    const product = Math.abs(products[2 * offset] ?? 0);
    const value = product / Math.sqrt(heardEnergy * Math.max(saidEnergy, 1) + 1);
    if (value > best.value)
      best = { value, delay: maxDelaySamples - offset, loudness: heardEnergy / Math.max(saidEnergy, 1) };
    saidEnergy += (said[offset + windowSamples] ?? 0) ** 2 - (said[offset] ?? 0) ** 2;
  }
  return best;
}

/** The microphone's audio at the low rate, in the form of `Ring`: each sample's difference from the one before it. */
function differences(samples: Int16Array): Float32Array {
  const found = new Float32Array(samples.length / microphoneEach - 1);
  let before = meanOf(samples, 0, microphoneEach);
  for (let index = 0; index < found.length; index++) {
    const mean = meanOf(samples, (index + 1) * microphoneEach, microphoneEach);
    found[index] = mean - before;
    before = mean;
  }
  return found;
}

function meanOf(samples: Int16Array, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + count; at++) sum += samples[at] ?? 0;
  return sum / count;
}

function isSustained(samples: Float32Array): boolean {
  let loudest = 0;
  for (let part = 0; part < partEnergies.length; part++) {
    let energy = 0;
    for (let at = part * partSamples; at < (part + 1) * partSamples; at++) energy += (samples[at] ?? 0) ** 2;
    partEnergies[part] = energy;
    loudest = Math.max(loudest, energy);
  }
  let voiced = 0;
  for (const energy of partEnergies) if (energy > partSamples * faintest ** 2 && energy * 1000 > loudest) voiced++;
  return voiced >= voicedParts;
}

function toSamples(ms: number): number {
  return Math.round((ms * rateHz) / 1000);
}

/** Samples of the agent's audio at the low rate, by their position on one time line. Every frame of the agent passes here. */
class Ring {
  readonly #samples: Float32Array;
  readonly #size: number;
  #end = 0;
  #before = 0;

  constructor(size: number) {
    this.#size = size;
    this.#samples = new Float32Array(size);
  }

  /** The position of the next sample. */
  get end(): number {
    return this.#end;
  }

  write(frame: Int16Array, frameRateHz: number, at: number): void {
    const samples = this.#samples;
    const size = this.#size;
    const each = frameRateHz / rateHz;
    if (at - this.#end > size) samples.fill(0);
    else for (let silent = this.#end; silent < at; silent++) samples[silent % size] = 0;
    const count = Math.floor(frame.length / each);
    // A local variable: writing the number to the field for each sample would create garbage forty times a frame.
    let before = this.#before;
    for (let index = 0; index < count; index++) {
      const mean = meanOf(frame, index * each, each);
      // Differences, because the low frequencies of any two voices resemble each other, and a constant offset is not a voice.
      samples[(at + index) % size] = mean - before;
      before = mean;
    }
    this.#before = before;
    this.#end = at + count;
  }

  /** Zero where nothing was written. */
  between(from: number, to: number): Float32Array {
    const part = new Float32Array(to - from);
    const end = Math.min(to, this.#end);
    for (let at = Math.max(from, this.#end - this.#size, 0); at < end;) {
      const within = at % this.#size;
      const piece = this.#samples.subarray(within, within + end - at);
      part.set(piece, at - from);
      at += piece.length;
    }
    return part;
  }
}
