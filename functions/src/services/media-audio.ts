/** The audio formats that a media session may use: those that the streaming host can read and write. */
import type { mediaSessionRequest } from "@voice/shared/contracts/http/media";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { AudioFormat, MediaSession } from "@voice/shared/state/ports/media-session-store";
import type { z } from "zod";

type AudioSettings = Pick<MediaSession, "sampleRateHz" | "channels" | "audioFormat" | "chunkSizeBytes">;

export const mediaDefaults: AudioSettings = {
  sampleRateHz: 16_000,
  channels: 1,
  audioFormat: "pcm_16",
  chunkSizeBytes: 1024,
};

/** Bytes per sample and channel. A chunk must hold whole samples. */
const sampleBytes = { pcm_16: 2, pcm_24: 3, mulaw: 1 } as const satisfies Partial<Record<AudioFormat, number>>;

const sampleRatesHz: readonly number[] = [8000, 16_000, 24_000, 48_000];

const maxChannels = 2;

/** Rejects what the streaming host cannot carry with `audio_format_unsupported`, naming every field that has to change. */
export function audioSettingsFor(request: z.output<typeof mediaSessionRequest>): AudioSettings {
  const sampleRateHz = request.sample_rate ?? mediaDefaults.sampleRateHz;
  const channels = request.channels ?? mediaDefaults.channels;
  const format = request.audio_format ?? mediaDefaults.audioFormat;
  const audioFormat = supportedFormat(format);
  const frameBytes = (audioFormat === undefined ? 1 : sampleBytes[audioFormat]) * Math.min(channels, maxChannels);
  // The default is rounded down to whole samples; a size that the caller chose is never changed silently.
  const chunkSizeBytes =
    request.chunk_size ?? mediaDefaults.chunkSizeBytes - (mediaDefaults.chunkSizeBytes % frameBytes);
  const fields = [
    ...(audioFormat === undefined ? [problem("audio_format", `One of ${Object.keys(sampleBytes).join(", ")}`)] : []),
    ...(sampleRatesHz.includes(sampleRateHz) ? [] : [problem("sample_rate", `One of ${sampleRatesHz.join(", ")}`)]),
    ...(channels <= maxChannels ? [] : [problem("channels", `At most ${maxChannels}`)]),
    ...(chunkSizeBytes % frameBytes === 0
      ? []
      : [problem("chunk_size", `A multiple of ${frameBytes} bytes, one sample of every channel`)]),
  ];
  if (audioFormat === undefined || fields.length > 0) {
    throw new BadRequestError("audio_format_unsupported", "The audio cannot be streamed in this format.", fields);
  }
  return { sampleRateHz, channels, audioFormat, chunkSizeBytes };
}

function supportedFormat(name: string): keyof typeof sampleBytes | undefined {
  if (name === "pcm_16" || name === "pcm_24" || name === "mulaw") return name;
  return undefined;
}

function problem(field: string, message: string) {
  return { field, message, code: "format_invalid" };
}
