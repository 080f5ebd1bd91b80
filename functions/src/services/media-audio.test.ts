import { describe, expect, it } from "vitest";
import { audioSettingsFor } from "./media-audio.ts";

const request = { call_connection_id: "c" };

describe("the audio of a media session", () => {
  it("is PCM at 16 kHz, mono, in chunks of 1024 bytes, unless asked otherwise", () => {
    const defaults = { sampleRateHz: 16_000, channels: 1, audioFormat: "pcm_16", chunkSizeBytes: 1024 };
    expect(audioSettingsFor(request)).toEqual(defaults);
    expect(
      audioSettingsFor({ ...request, sample_rate: null, channels: null, audio_format: null, chunk_size: null }),
    ).toEqual(defaults);
  });

  it("is the requested format if the streaming host supports it", () => {
    expect(
      audioSettingsFor({ ...request, sample_rate: 8000, channels: 2, audio_format: "mulaw", chunk_size: 320 }),
    ).toEqual({ sampleRateHz: 8000, channels: 2, audioFormat: "mulaw", chunkSizeBytes: 320 });
  });

  it("rounds its default chunk, and only that, to whole samples", () => {
    expect(audioSettingsFor({ ...request, audio_format: "pcm_24" }).chunkSizeBytes).toBe(1023);
    expect(() => audioSettingsFor({ ...request, audio_format: "pcm_24", chunk_size: 1024 })).toThrow(
      "cannot be streamed",
    );
  });

  it("names every unsupported value", () => {
    const bad = { ...request, sample_rate: 44_100, channels: 8, audio_format: "opus" };
    expect(() => audioSettingsFor(bad)).toThrow(
      expect.objectContaining({
        code: "audio_format_unsupported",
        fields: [
          expect.objectContaining({ field: "audio_format" }),
          expect.objectContaining({ field: "sample_rate" }),
          expect.objectContaining({ field: "channels" }),
        ],
      }),
    );
  });
});
