import { loadSettings } from "@voice/shared/config/load";
import { expect, it } from "vitest";
import { isAzureSpeechConfigured } from "./from-settings.ts";

it.each([
  [{}, false],
  [{ CLOUD_SPEECH_REGION: "westeurope", CLOUD_SPEECH_KEY: "k" }, true],
  [{ CLOUD_SPEECH_ENDPOINT: "https://name.cognitiveservices.azure.com", CLOUD_SPEECH_KEY: "k" }, true],
])("Azure Speech is wanted with %j: %s", (environment, isWanted) => {
  expect(isAzureSpeechConfigured(loadSettings(environment))).toBe(isWanted);
});
