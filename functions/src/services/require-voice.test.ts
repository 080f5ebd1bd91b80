import { loadSettings } from "@voice/shared/config/load";
import { describe, expect, it } from "vitest";
import { SchemaError } from "../http/validation.ts";
import { requireVoice } from "./require-voice.ts";

const local = loadSettings({});
const azure = loadSettings({ CLOUD_SPEECH_REGION: "westeurope", CLOUD_SPEECH_KEY: "key" });

describe("the name of a voice", () => {
  it.each(["x", "AvaMultilingualNeural", "en-US", "xx-YY-AvaNeural", "Ava"])("[ACCESS-30] is refused: %s", (name) => {
    for (const settings of [local, azure])
      expect(() => requireVoice({ voice_name: name }, settings)).toThrow(SchemaError);
  });

  it.each([
    "en-US-AvaMultilingualNeural",
    "en-US-Ava:DragonHDLatestNeural",
    "zh-CN-liaoning-XiaobeiNeural",
    "sr-Latn-RS-NicholasNeural",
    "en-us-Grant:MAI-Voice-1",
    "alloy",
    "Marin",
  ])("is one that the speech service or its realtime models have: %s", (name) => {
    expect(() => requireVoice({ voice_name: name }, azure)).not.toThrow();
  });

  it("may be anything for custom and personal voices, and for other servers", () => {
    expect(() => requireVoice({ voice_name: "x", endpoint_id: "deployment" }, azure)).not.toThrow();
    expect(() => requireVoice({ voice_name: "x", personal_model: "DragonLatestNeural" }, azure)).not.toThrow();
    const server = loadSettings({ OPENAI_TTS_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_TTS_MODEL: "kokoro" });
    expect(() => requireVoice({ voice_name: "af_heart" }, server)).not.toThrow();
    expect(() => requireVoice({ voice_rate: "+3%" }, azure)).not.toThrow();
    expect(() => requireVoice(undefined, azure)).not.toThrow();
  });
});
