import { describe, expect, it } from "vitest";
import { evalModels } from "./eval-models.ts";

const cloud = {
  CLOUD_OPENAI_ENDPOINT: "https://x.openai.azure.com/",
  CLOUD_OPENAI_DEPLOYMENT: "chat",
  CLOUD_OPENAI_KEY: "k",
};

describe("the models that play callers and judge", () => {
  it("[EVAL-8] need a server of their own where the agents' model is not OpenAI's, and one line says so", () => {
    expect(() => evalModels({}, "chat", cloud)).toThrow(/set EVAL_BASE_URL and EVAL_API_KEY/);
    expect(evalModels({}, "chat", { ...cloud, EVAL_BASE_URL: "https://m.example/v1/", EVAL_API_KEY: "e" })).toEqual({
      baseUrl: "https://m.example/v1",
      key: "e",
      caller: "chat",
      judge: "chat",
    });
  });

  it("[EVAL-8] are asked where the agents' are, also at a server that wants no key", () => {
    const local = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_CHAT_MODEL: "llama" };
    const named = { "judge-model": "other" };
    expect(evalModels(named, "llama", { ...local, EVAL_CALLER_MODEL: "small" })).toEqual({
      baseUrl: "http://127.0.0.1:11434/v1",
      key: undefined,
      caller: "small",
      judge: "other",
    });
  });

  it("[EVAL-8] have an address with its scheme", () => {
    for (const address of ["localhost:9", "models.example/v1"])
      expect(() => evalModels({}, "x", { EVAL_BASE_URL: address })).toThrow(/^EVAL_BASE_URL must be an address/);
  });
});
