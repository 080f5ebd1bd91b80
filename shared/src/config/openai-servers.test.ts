import { describe, expect, it } from "vitest";
import { ConfigurationError } from "./configuration-error.ts";
import { loadSettings } from "./load.ts";
import { keyOf } from "./openai-servers.ts";
import { partsOf } from "./parts.ts";

const of = (environment: Record<string, string>) => partsOf(loadSettings(environment));
const local = "http://127.0.0.1:11434/v1";
const openAi = "https://api.openai.com/v1";

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadSettings(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

describe("a key of OpenAI", () => {
  it("alone brings chat, both halves of speech and the realtime model", () => {
    expect(of({ OPENAI_API_KEY: "k" })).toMatchObject({
      languageModel: { kind: "openai", endpoint: openAi, deployment: "gpt-6-luna", named: "openai" },
      recognition: { kind: "openai", baseUrl: openAi, model: "gpt-transcribe" },
      synthesis: { kind: "openai", baseUrl: openAi, model: "gpt-4o-mini-tts" },
      realtimeModel: { kind: "openai", baseUrl: openAi, model: "gpt-realtime-2.1" },
    });
  });

  it("leaves to the cloud what the cloud's settings name, unless a model is named as well", () => {
    const cloud = { CLOUD_SPEECH_REGION: "r", CLOUD_SPEECH_KEY: "s", OPENAI_API_KEY: "k" };
    expect(of(cloud)).toMatchObject({ recognition: { kind: "azure" }, synthesis: { kind: "azure" } });
    expect(of({ ...cloud, OPENAI_TTS_MODEL: "gpt-4o-mini-tts" })).toMatchObject({
      recognition: { kind: "azure" },
      synthesis: { kind: "openai" },
    });
  });

  it("goes to the server at the base URL and to no other", () => {
    const settings = loadSettings({
      OPENAI_API_KEY: "k",
      OPENAI_STT_BASE_URL: "http://127.0.0.1:8000/v1",
      OPENAI_STT_MODEL: "whisper-large-v3",
      OPENAI_TTS_BASE_URL: "http://127.0.0.1:8880/v1",
      OPENAI_TTS_MODEL: "kokoro",
      OPENAI_TTS_KEY: "t",
    });
    expect(keyOf(settings, "chat")).toBe("k");
    expect(keyOf(settings, "recognition")).toBeUndefined();
    expect(keyOf(settings, "synthesis")).toBe("t");
  });

  it("is enough of models and speech for production", () => {
    const problems = problemsOf({ ENVIRONMENT: "production", OPENAI_API_KEY: "k" });
    expect(problems.filter((problem) => /OPENAI|SPEECH/.test(problem))).toEqual([]);
  });
});

describe("another server", () => {
  it("does what a model is named for, and this machine does the rest", () => {
    expect(of({ OPENAI_BASE_URL: local, OPENAI_CHAT_MODEL: "llama3.1" })).toMatchObject({
      languageModel: { kind: "openai", endpoint: local, deployment: "llama3.1" },
      recognition: { kind: "local" },
      synthesis: { kind: "local" },
    });
  });

  it.each([
    [
      { OPENAI_BASE_URL: local },
      "OPENAI_CHAT_MODEL or OPENAI_STT_MODEL or OPENAI_TTS_MODEL or OPENAI_REALTIME_MODEL is missing: OPENAI_BASE_URL is set and needs it",
    ],
    [{ OPENAI_TTS_BASE_URL: local }, "OPENAI_TTS_MODEL is missing: OPENAI_TTS_BASE_URL is set and needs it"],
    [{ OPENAI_CHAT_MODEL: "gpt-6-luna" }, "OPENAI_API_KEY is missing: a model of OpenAI is named and needs it"],
    [
      { OPENAI_BASE_URL: "http://10.0.0.7:8000/v1", OPENAI_CHAT_MODEL: "m" },
      "10.0.0.7:8000 in MODEL_PRIVATE_HOSTS is missing: OPENAI_BASE_URL is plain http beyond this machine",
    ],
  ])("half named, %o, is one line", (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it("is reached by plain http where its host is allowed by name and port", () => {
    const settings = { OPENAI_BASE_URL: "http://models.lan:8000/v1", OPENAI_CHAT_MODEL: "m" };
    expect(of({ ...settings, MODEL_PRIVATE_HOSTS: "models.lan:8000" }).languageModel.kind).toBe("openai");
    expect(problemsOf({ ...settings, MODEL_PRIVATE_HOSTS: "models.lan" })).toHaveLength(1);
  });
});
