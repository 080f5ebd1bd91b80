/**
 * Converts between the bytes of a negotiated format and PCM16 mono at the session's rate. One instance per socket, because resampling has
 * state.
 */
import { mixToMono, monoToStereo, pickChannel } from "./channels.ts";
import { decodeMulaw, encodeMulaw } from "./mulaw.ts";
import { bytesFromSamples, samplesFromBytes } from "./pcm16.ts";
import { createResampler } from "./resample.ts";
import { SampleSlab } from "./sample-slab.ts";
import { WholeFrames } from "./whole-frames.ts";

export interface WireFormat {
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly audioFormat: "pcm_16" | "pcm_24" | "mulaw";
  /** The channel with the peer's voice; if absent, all channels. */
  readonly heardChannel?: number;
}

export interface WireAudio {
  /** The bytes are a stream: a sample may be split between two chunks. */
  decode(bytes: Uint8Array): Int16Array;
  /** The same for base64 text. Undefined if a character is not base64. */
  decodeBase64(text: string): Int16Array | undefined;
  encode(frame: Int16Array): Uint8Array;
}

export function createWireAudio(format: WireFormat, sessionRateHz: number): WireAudio {
  const { sampleRateHz, channels, audioFormat, heardChannel } = format;
  const inward = createResampler(sampleRateHz, sessionRateHz);
  const outward = createResampler(sessionRateHz, sampleRateHz);
  const frames = new WholeFrames(sampleBytes({ audioFormat, channels }));
  const slab = new SampleSlab();

  function heard(samples: Int16Array): Int16Array {
    return heardChannel === undefined ? mixToMono(samples, channels) : pickChannel(samples, channels, heardChannel);
  }

  function decode(bytes: Uint8Array): Int16Array {
    return inward.process(heard(toSamples(frames.push(bytes), audioFormat)));
  }

  return {
    decode,
    decodeBase64(text) {
      // Skipped characters would leave fewer bytes; up to two characters may be padding.
      const leastBytes = Math.floor((text.length * 3) / 4) - 2;
      if (audioFormat === "pcm_16" && channels === 1 && !frames.isOpen && Buffer.byteLength(text, "base64") % 2 === 0) {
        const samples = slab.fromBase64(text);
        return samples.byteLength < leastBytes ? undefined : inward.process(samples);
      }
      const bytes = Buffer.from(text, "base64");
      return bytes.length < leastBytes ? undefined : decode(bytes);
    },
    encode(frame) {
      const mono = outward.process(frame);
      return toBytes(channels === 2 ? monoToStereo(mono) : mono, audioFormat);
    },
  };
}

/** The size of one sample of all channels. */
export function sampleBytes({ audioFormat, channels }: Pick<WireFormat, "audioFormat" | "channels">): number {
  return bytesPerSample[audioFormat] * channels;
}

const bytesPerSample: Readonly<Record<WireFormat["audioFormat"], number>> = { pcm_16: 2, pcm_24: 3, mulaw: 1 };

function toSamples(bytes: Uint8Array, format: WireFormat["audioFormat"]): Int16Array {
  switch (format) {
    case "pcm_16":
      return samplesFromBytes(bytes);
    case "mulaw":
      return decodeMulaw(bytes);
    case "pcm_24": {
      // Little endian: the two upper bytes are the 16-bit sample; the lowest is 48 dB below the resolution that a voice needs.
      const samples = new Int16Array(Math.floor(bytes.length / 3));
      for (let index = 0, at = 1; index < samples.length; index++, at += 3)
        samples[index] = ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0);
      return samples;
    }
  }
}

function toBytes(samples: Int16Array, format: WireFormat["audioFormat"]): Uint8Array {
  switch (format) {
    case "pcm_16":
      return bytesFromSamples(samples);
    case "mulaw":
      return encodeMulaw(samples);
    case "pcm_24": {
      const bytes = new Uint8Array(samples.length * 3);
      for (let index = 0, at = 1; index < samples.length; index++, at += 3) {
        const sample = samples[index] ?? 0;
        bytes[at] = sample & 0xff;
        bytes[at + 1] = (sample >> 8) & 0xff;
      }
      return bytes;
    }
  }
}
