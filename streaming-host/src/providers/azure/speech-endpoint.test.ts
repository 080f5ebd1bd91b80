import { PropertyId } from "microsoft-cognitiveservices-speech-sdk";
import { describe, expect, it } from "vitest";
import { createSpeechConfig } from "./speech-endpoint.ts";
import type { SpeechCredential, SpeechEndpoint } from "./speech-endpoint.ts";

const region: SpeechEndpoint["location"] = { kind: "region", region: "westeurope" };
const host: SpeechEndpoint["location"] = { kind: "host", url: "https://name.cognitiveservices.azure.com/" };
const key: SpeechCredential = { kind: "key", key: "secret" };
const token: SpeechCredential = { kind: "token", token: async () => "token", resourceId: "/subscriptions/1/speech" };

describe("the Speech SDK's configuration", () => {
  it("knows the region and the key", async () => {
    const config = await createSpeechConfig({ location: region, credential: key });
    expect([config.region, config.subscriptionKey]).toEqual(["westeurope", "secret"]);
  });

  it("tells a region which resource a token is for", async () => {
    const config = await createSpeechConfig({ location: region, credential: token });
    expect(config.authorizationToken).toBe("aad#/subscriptions/1/speech#token");
  });

  it("speaks to a resource's own host over a WebSocket, in the version whose path fits every mode", async () => {
    const config = await createSpeechConfig({
      location: host,
      credential: { kind: "token", token: async () => "token" },
    });
    expect(config.getProperty(PropertyId[PropertyId.SpeechServiceConnection_Host])).toBe(
      "wss://name.cognitiveservices.azure.com",
    );
    expect(config.getProperty(PropertyId[PropertyId.SpeechServiceConnection_RecognitionEndpointVersion])).toBe("2");
    expect(config.authorizationToken).toBe("token");
  });

  it("leaves the SDK one retry", async () => {
    const config = await createSpeechConfig({ location: region, credential: key });
    expect(config.getProperty("SPEECH-Error-MaxRetryCount")).toBe("1");
  });
});
