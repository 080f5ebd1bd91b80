import { describe, expect, it } from "vitest";
import { settings } from "../../testing/call-rig.ts";
import { callAddresses, streamOf } from "./media-address.ts";

describe("transcription", () => {
  it("[MEDIA-5] asks the service for the words where it can write, and for the audio where that is to be kept", async () => {
    const transcribing = { ...settings, commCognitiveEndpoint: "https://ai.example.com" };
    const call = { streamingMode: "TRANSCRIPTION", recording: false } as const;
    expect(streamOf(call, transcribing)).toEqual({
      kind: "transcript",
      language: "en-US",
      cognitiveUrl: "https://ai.example.com",
    });
    expect(streamOf({ ...call, language: "de-DE" }, transcribing)).toMatchObject({ language: "de-DE" });
    const audio = { kind: "audio", sampleRateHz: 16_000 };
    expect(streamOf({ ...call, recording: true }, transcribing)).toEqual(audio);
    expect(streamOf(call, settings)).toEqual(audio);
    expect(streamOf({ ...call, streamingMode: "MEDIA" }, transcribing)).toEqual(audio);
  });
});

it("asks for callbacks with the first of two secrets, so that a new one comes into use at once", () => {
  const withSecrets = { ...settings, baseUrl: "https://b.example", commWebhookSecrets: ["new one", "old"] };
  const { callbackUrl, mediaUrl } = callAddresses(withSecrets, { callId: "c-1", sessionId: "s-1" });
  expect(callbackUrl).toBe("https://b.example/api/v1/calls/callbacks?secret=new%20one");
  expect(mediaUrl).not.toContain("secret");
});
