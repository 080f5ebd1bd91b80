/** What a line does to speech: noise, other people, a telephone's band, a room. The same every time. */
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { whiteNoise } from "@voice/provider-kit/audio/white-noise";
import { toSample, withNoise } from "../../../local/person/noise.ts";
import { hearingRateHz } from "./callers.ts";

export interface Line {
  readonly name: string;
  /** The rate at which it delivers; `hearingRateHz` unless it is a telephone's. */
  readonly sampleRateHz?: number;
  /** `recording`: names the speech, where a line has a different noise for each. */
  readonly carry: (speech: Int16Array, recording?: string) => Int16Array;
}

/** Silence before the speech, and after it for as long as the recogniser needs to notice the end. */
export const leadSamples = hearingRateHz * 0.6;
const trailSamples = hearingRateHz * 1.1;

const frameSamples = hearingRateHz / 50;
/** -50 dB: softer than any word. */
const softestLevel = 10 ** (-50 / 20);

export const quietLine: Line = { name: "clean", carry: padded };

export function noisyLine(snrDb: number): Line {
  return { name: `white ${snrDb} dB`, carry: (speech) => withNoise(padded(speech), whiteNoise, { speech, snrDb }) };
}

/** A telephone or a browser that takes the noise away between the words, and leaves it behind them. */
export function cutLine(snrDb: number): Line {
  return {
    name: `cut ${snrDb} dB`,
    carry(speech) {
      const cut = withNoise(speech, whiteNoise, { speech, snrDb });
      for (let at = 0; at < cut.length; at += frameSamples) {
        const around = speech.subarray(Math.max(0, at - 3 * frameSamples), at + 4 * frameSamples);
        if (rmsLevel(around) < softestLevel) cut.fill(0, at, at + frameSamples);
      }
      return padded(cut);
    },
  };
}

/** What another line carries, with `percent` of its packets of 20 ms lost, one to three in a row: a telephone network puts silence in their place. */
export function lossyLine(line: Line, percent: number): Line {
  return {
    name: `${line.name}, lost ${percent} %`,
    carry(speech) {
      const carried = line.carry(speech);
      for (let at = 0; at < carried.length; at += frameSamples) {
        if (Math.abs(whiteNoise(at)) >= percent / 200) continue; // two in a row, on the average
        const packets = 1 + Math.floor(1.5 * (1 + whiteNoise(at + 1)));
        carried.fill(0, at, at + packets * frameSamples);
      }
      return carried;
    },
  };
}

/** `talkers` speak all at once, in the background. */
export function babbleLine(talkers: readonly Int16Array[], snrDb: number): Line {
  const babble = sumOf(talkers);
  return {
    name: `babble ${snrDb} dB`,
    carry: (speech) =>
      withNoise(padded(speech), (at) => babble[(at + speech.length) % babble.length] ?? 0, { speech, snrDb }),
  };
}

/** 8 kHz, from 300 Hz on, in eight bits, and back. */
export const telephoneLine: Line = {
  name: "telephone",
  carry(speech) {
    const narrow = resampleAll(highPass(padded(speech), 300), hearingRateHz, 8000);
    return resampleAll(decodeMulaw(encodeMulaw(narrow)), 8000, hearingRateHz);
  },
};

/** The same at the rate at which a telephone's audio reaches the service. */
export const phoneLine: Line = {
  name: "telephone",
  sampleRateHz: 8000,
  carry: (speech) => decodeMulaw(encodeMulaw(resampleAll(highPass(padded(speech), 300), hearingRateHz, 8000))),
};

/** A recording that was made at 8 kHz, as it is. */
export const narrowLine: Line = {
  name: "8 kHz",
  sampleRateHz: 8000,
  carry: (speech) => resampleAll(padded(speech), hearingRateHz, 8000),
};

/** A small room with hard walls: reflections for a third of a second. */
export const roomLine: Line = {
  name: "room",
  carry(speech) {
    const dry = padded(speech);
    const wet = Float64Array.from(dry);
    for (let echo = 1; echo <= 24; echo++) {
      const delay = Math.round(hearingRateHz * (0.007 * echo + 0.0011 * ((echo * 7919) % 13)));
      const gain = 0.5 * Math.exp(-delay / (hearingRateHz * 0.05)) * (echo % 3 === 0 ? -1 : 1);
      for (let at = delay; at < wet.length; at++) wet[at] = (wet[at] ?? 0) + gain * (dry[at - delay] ?? 0);
    }
    return Int16Array.from(wet, toSample);
  },
};

export function distantLine(db: number): Line {
  const gain = 10 ** (db / 20);
  return { name: `level ${db} dB`, carry: (speech) => padded(speech).map((sample) => Math.round(sample * gain)) };
}

export function padded(speech: Int16Array): Int16Array {
  const whole = new Int16Array(leadSamples + speech.length + trailSamples);
  whole.set(speech, leadSamples);
  return whole;
}

function sumOf(talkers: readonly Int16Array[]): Float64Array {
  const length = Math.max(...talkers.map((talker) => talker.length));
  return Float64Array.from({ length }, (_, at) =>
    talkers.reduce((sum, talker) => sum + (talker[at % talker.length] ?? 0), 0),
  );
}

/** First order, twice. */
function highPass(samples: Int16Array, hz: number): Int16Array {
  const keep = 1 / (1 + (2 * Math.PI * hz) / hearingRateHz);
  const once = (input: Float64Array): Float64Array => {
    const output = new Float64Array(input.length);
    for (let at = 1; at < input.length; at++)
      output[at] = keep * ((output[at - 1] ?? 0) + (input[at] ?? 0) - (input[at - 1] ?? 0));
    return output;
  };
  return Int16Array.from(once(once(Float64Array.from(samples))), toSample);
}
