/**
 * Fetches a WAV file as the service does before playing it, and converts it to the line's rate. The format is that of
 * learn.microsoft.com/azure/communication-services/concepts/call-automation/play-action.
 */
import { mixToMono } from "@voice/provider-kit/audio/channels";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import { VoiceError } from "@voice/shared/platform/errors";

const fetchTimeoutMs = 5000;

/** Rejects if there is no such file or its format is not the one that the service plays: mono PCM16 at 16 kHz. */
export async function fetchAudio(url: string, lineRateHz: number): Promise<Int16Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!response.ok) throw new VoiceError("upstream_unavailable", `the file is not there (${response.status})`);
  const { samples, channels, sampleRateHz } = decodeWav(await response.bytes());
  if (channels !== 1 || sampleRateHz !== 16_000) throw new VoiceError("audio_format_unsupported", "not a file to play");
  return resampleAll(mixToMono(samples, channels), sampleRateHz, lineRateHz);
}
