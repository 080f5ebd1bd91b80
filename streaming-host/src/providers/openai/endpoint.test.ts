import { describe, expect, it } from "vitest";
import { isFirstParty, toBaseUrl } from "./endpoint.ts";

describe("the model's base URL", () => {
  it.each([
    ["https://name.openai.azure.com", "https://name.openai.azure.com/openai/v1/"],
    ["https://name.openai.azure.com/", "https://name.openai.azure.com/openai/v1/"],
    ["https://name.services.ai.azure.com/openai/v1/", "https://name.services.ai.azure.com/openai/v1/"],
    ["https://name.openai.azure.us", "https://name.openai.azure.us/openai/v1/"],
    ["https://gateway.example/models/v2", "https://gateway.example/models/v2"],
    ["http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
    ["https://openai.azure.com.attacker.example/v1", "https://openai.azure.com.attacker.example/v1"],
  ])("of %s is %s", (endpoint, baseUrl) => {
    expect(toBaseUrl(endpoint)).toBe(baseUrl);
  });
});

it("limits first-party models by completion tokens and compatible servers by tokens", () => {
  expect(isFirstParty("https://name.openai.azure.com")).toBe(true);
  expect(isFirstParty("http://127.0.0.1:11434/v1")).toBe(false);
});
