import { describe, expect, it } from "vitest";
import { loadSettings } from "./load.ts";
import { describeParts } from "./describe-parts.ts";

const kinds = (environment: Record<string, string>) =>
  Object.fromEntries(describeParts(loadSettings(environment)).map(({ name, kind }) => [name, kind]));

describe("parts", () => {
  it("are all on this machine without settings", () => {
    expect(kinds({})).toEqual({
      state: "local",
      "speech recognition": "local",
      "speech synthesis": "local",
      "language model": "local",
      "realtime model": "local",
      calls: "local",
      "live relay": "off",
      archive: "off",
      recordings: "off",
    });
  });

  it("become real one by one", () => {
    expect(kinds({ CACHE_HOST: "h" })).toMatchObject({ state: "real", "speech synthesis": "local" });
    expect(kinds({ CLOUD_SPEECH_REGION: "r", CLOUD_SPEECH_KEY: "k" })).toMatchObject({
      state: "local",
      "speech recognition": "real",
      "speech synthesis": "real",
    });
  });

  it("say where noise is taken away before recognition", () => {
    const recognition = (environment: Record<string, string>) =>
      describeParts(loadSettings(environment)).find(({ name }) => name === "speech recognition")?.detail;
    expect(recognition({})).toBe("English, and the sentences of the agents, on this machine");
    expect(recognition({ LOCAL_NOISE_SUPPRESSION: "true" })).toBe(
      "English, and the sentences of the agents, on this machine, without noise",
    );
  });

  it("are local where they are emulated on this machine", () => {
    const emulator = "endpoint=http://127.0.0.1:8090/;accesskey=c2VjcmV0";
    const comm = {
      COMM_CONNECTION_STRING: emulator,
      COMM_PHONE_NUMBER: "+12025550100",
      BASE_URL: "http://127.0.0.1:1",
    };
    expect(kinds({ ...comm, COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111" })).toMatchObject({
      calls: "local",
    });
  });

  it("keep recordings on this machine unless there is Blob storage", () => {
    expect(kinds({ RECORDING_ENABLED: "1" })).toMatchObject({ recordings: "local" });
    expect(kinds({ RECORDING_ENABLED: "1", CLOUD_STORAGE_ENDPOINT: "https://s.example" })).toMatchObject({
      recordings: "real",
    });
  });

  it("are the models and servers that are named, where OpenAI's interface is spoken", () => {
    const served = {
      OPENAI_BASE_URL: "http://127.0.0.1:8000/v1",
      OPENAI_STT_MODEL: "whisper-large-v3",
      OPENAI_TTS_MODEL: "kokoro",
      OPENAI_REALTIME_MODEL: "gpt-realtime",
    };
    const details = Object.fromEntries(describeParts(loadSettings(served)).map(({ name, detail }) => [name, detail]));
    expect(details).toMatchObject({
      "speech recognition": "whisper-large-v3 at http://127.0.0.1:8000/v1",
      "speech synthesis": "kokoro at http://127.0.0.1:8000/v1",
      "realtime model": "gpt-realtime at http://127.0.0.1:8000/v1",
    });
  });

  it.each([
    [{ RECOGNISER_MODULE: "@shop/recogniser" }, "speech recognition", "real", "@shop/recogniser"],
    [{ CLOUD_WEBPUBSUB_ENDPOINT: "https://relay.example" }, "live relay", "real", "https://relay.example"],
    [
      { CLOUD_WEBPUBSUB_CONNECTION_STRING: "Endpoint=https://w.example;AccessKey=k" },
      "live relay",
      "real",
      "Web PubSub by connection string",
    ],
    [
      { CLOUD_VOICELIVE_ENDPOINT: "https://live.example", CLOUD_VOICELIVE_MODEL: "m" },
      "realtime model",
      "real",
      "m at https://live.example",
    ],
    [
      { CLOUD_VOICELIVE_ENDPOINT: "http://127.0.0.1:4200", CLOUD_VOICELIVE_MODEL: "m" },
      "realtime model",
      "local",
      "emulator",
    ],
  ])("say where they are: %o", (environment, name, kind, detail) => {
    expect(describeParts(loadSettings(environment))).toContainEqual({ name, kind, detail });
  });

  it("are off in production where only this machine has them, because nothing there stands in for them", () => {
    const production = { ...loadSettings({ CACHE_HOST: "h" }), environment: "production" } as const;
    const shown = Object.fromEntries(describeParts(production).map(({ name, kind }) => [name, kind]));
    expect(shown).toMatchObject({ state: "real", "realtime model": "off" });
  });

  it("are described without a secret", () => {
    const secrets = {
      CLOUD_SPEECH_REGION: "r",
      CLOUD_SPEECH_KEY: "secret-1",
      CACHE_HOST: "h",
      CACHE_PASSWORD: "secret-2",
      COMM_CONNECTION_STRING: "endpoint=https://c.example;accesskey=secret-3",
      COMM_PHONE_NUMBER: "+14255550100",
      COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111",
      COMM_WEBHOOK_SECRET: "secret-4",
      BASE_URL: "https://b",
      CLOUD_WEBPUBSUB_CONNECTION_STRING: "Endpoint=https://w.example;AccessKey=secret-4",
    };
    expect(JSON.stringify(describeParts(loadSettings(secrets)))).not.toMatch(/secret|4255550100/);
  });
});
