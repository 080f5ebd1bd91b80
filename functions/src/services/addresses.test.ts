import { describe, expect, it } from "vitest";
import { httpBaseUrl, streamingBaseUrl } from "./addresses.ts";

const asked = "http://127.0.0.1:8080/api/v1/media/sessions?x=1";

describe("the service's addresses", () => {
  it("are the settings', without a trailing slash", () => {
    const settings = { baseUrl: "https://api.example.com/", streamingHostUrl: "wss://voice.example.com/" };
    expect(httpBaseUrl(settings, asked)).toBe("https://api.example.com");
    expect(streamingBaseUrl(settings, asked)).toBe("wss://voice.example.com");
  });

  it("follow from the public URL, and from the request where there is none", () => {
    expect(streamingBaseUrl({ baseUrl: "https://api.example.com", streamingHostUrl: undefined }, asked)).toBe(
      "wss://api.example.com",
    );
    expect(streamingBaseUrl({ baseUrl: undefined, streamingHostUrl: undefined }, asked)).toBe("ws://127.0.0.1:8080");
  });
});
