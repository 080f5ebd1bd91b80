import { describe, expect, it } from "vitest";
import { loadSettings } from "./load.ts";
import { partsOf, speaksAlike } from "./parts.ts";

const of = (environment: Record<string, string>) => partsOf(loadSettings(environment));

describe("the parts", () => {
  it("are those of one machine without settings", () => {
    expect(of({})).toMatchObject({
      state: { kind: "memory" },
      recognition: { kind: "local" },
      synthesis: { kind: "local" },
      languageModel: { kind: "local" },
      realtimeModel: { kind: "none" },
      calls: { kind: "none" },
      liveRelay: { kind: "none" },
      archive: { kind: "none" },
      recordings: { kind: "folder" },
    });
  });

  it("speak with a voice model of one's own rather than with a service's voice [SPEECH-30]", () => {
    expect(of({ VOICE_MODEL_DIR: "voices/amy", OPENAI_API_KEY: "k" })).toMatchObject({
      synthesis: { kind: "model", dir: "voices/amy" },
      recognition: { kind: "openai" },
    });
  });

  it("know where the real ones are", () => {
    const environment = {
      CACHE_HOST: "cache.example",
      CLOUD_SPEECH_REGION: "westeurope",
      CLOUD_SPEECH_KEY: "k",
      CLOUD_VOICELIVE_ENDPOINT: "https://live.example",
      CLOUD_VOICELIVE_MODEL: "gpt-realtime",
      CLOUD_DOCSTORE_ENDPOINT: "https://documents.example",
      CLOUD_DOCSTORE_DATABASE: "voice",
      CLOUD_WEBPUBSUB_ENDPOINT: "https://relay.example",
    };
    expect(of(environment)).toMatchObject({
      state: { kind: "redis", host: "cache.example", port: 6379 },
      recognition: { kind: "azure", location: { kind: "region", region: "westeurope" } },
      synthesis: { kind: "azure", location: { kind: "region", region: "westeurope" } },
      realtimeModel: { kind: "voice-live", endpoint: "https://live.example", model: "gpt-realtime" },
      archive: { kind: "cosmos", endpoint: "https://documents.example", database: "voice" },
      liveRelay: { kind: "web-pubsub", access: { kind: "endpoint", endpoint: "https://relay.example" } },
    });
  });

  it.each(["https://WestEurope.api.cognitive.microsoft.com/", "https://westeurope.tts.speech.microsoft.com"])(
    "take the portal's %s for the region that it names",
    (endpoint) => {
      const { recognition } = of({ CLOUD_SPEECH_ENDPOINT: endpoint, CLOUD_SPEECH_KEY: "k" });
      expect(recognition).toEqual({ kind: "azure", location: { kind: "region", region: "westeurope" } });
    },
  );

  it("prefer a speech resource's own address, and the key of a connection string", () => {
    const speech = { CLOUD_SPEECH_REGION: "r", CLOUD_SPEECH_ENDPOINT: "https://s.example", CLOUD_SPEECH_KEY: "k" };
    expect(of(speech).synthesis).toMatchObject({ location: { kind: "host", url: "https://s.example" } });
    const storage = {
      CLOUD_STORAGE_ENDPOINT: "https://b.example",
      CLOUD_STORAGE_CONNECTION_STRING: "AccountName=a;AccountKey=k",
    };
    expect(of(storage).recordings).toMatchObject({ kind: "blob", access: { kind: "connection-string" } });
  });

  it.each([
    [{ COMM_ENDPOINT: "https://contoso.communication.azure.com" }, false],
    [{ COMM_CONNECTION_STRING: "endpoint=https://contoso.communication.azure.com/;accesskey=k" }, false],
    [{ COMM_CONNECTION_STRING: "endpoint=https://127.0.0.1.example.com/;accesskey=k" }, false],
    [{ COMM_CONNECTION_STRING: "endpoint=http://127.0.0.1.example.com/;accesskey=k" }, false],
    [{ COMM_CONNECTION_STRING: "endpoint=http://127.0.0.1:4100/;accesskey=k" }, true],
    [{ COMM_ENDPOINT: "http://localhost:4100" }, true],
  ])("take the communication service of %o for an emulator: %s", (service, isEmulated) => {
    const proof = { COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111", COMM_WEBHOOK_SECRET: "s" };
    const needed = { COMM_PHONE_NUMBER: "+14255550100", BASE_URL: "https://voice.example", ...proof };
    expect(of({ ...needed, ...service }).calls).toMatchObject({ kind: "azure", isEmulated });
  });
});

describe("the voice that fills a pause of the realtime model", () => {
  const speech = { CLOUD_SPEECH_REGION: "westeurope", CLOUD_SPEECH_KEY: "k" };
  const voiceLive = (address: string) => ({ CLOUD_VOICELIVE_ENDPOINT: address, CLOUD_VOICELIVE_MODEL: "m" });
  const served = { OPENAI_BASE_URL: "http://127.0.0.1:8000/v1", OPENAI_REALTIME_MODEL: "gpt-realtime" };

  it.each([
    ["the cloud's model and the cloud's speech", { ...speech, ...voiceLive("https://live.example") }, true],
    ["the cloud's model and speech of this machine", voiceLive("https://live.example"), false],
    ["the emulated model", voiceLive("http://127.0.0.1:4200"), true],
    ["one server's model and speech", { ...served, OPENAI_TTS_MODEL: "kokoro" }, true],
    ["two servers'", { ...served, OPENAI_TTS_MODEL: "kokoro", OPENAI_TTS_BASE_URL: "http://127.0.0.1:9000/v1" }, false],
    ["a server's model and the cloud's speech", { ...served, ...speech }, false],
    ["no model", speech, false],
  ])("is the model's own with %s: %3$s", (_what, environment, isAlike) => {
    expect(speaksAlike(of(environment))).toBe(isAlike);
  });
});
