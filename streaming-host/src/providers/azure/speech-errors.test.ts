import { describe, expect, it } from "vitest";
import { SpeechRequestRefusedError, toSpeechError } from "./speech-errors.ts";

const refused = (status: number): string =>
  `Unable to contact server. StatusCode: 1006, wss://host/path?Ocp-Apim-Subscription-Key=secret Reason: Unexpected server response: ${status}`;

describe("what the Speech SDK says went wrong", () => {
  it.each([
    [{ details: refused(401) }, "upstream_unavailable", false],
    [{ details: refused(403) }, "upstream_unavailable", false],
    [{ details: refused(404) }, "speech_region_unavailable", false],
    [{ details: refused(429) }, "speech_quota_exceeded", true],
    [{ details: refused(503) }, "speech_region_unavailable", true],
    [{ details: "Quota exceeded websocket error code: 4429" }, "speech_quota_exceeded", true],
    [{ details: "Unsupported voice. websocket error code: 1007" }, "upstream_unavailable", false],
    [{ details: "Internal websocket error code: 1011" }, "speech_region_unavailable", true],
    [
      { details: "Cannot send on connection that is in Disconnected state", closeCode: 4429 },
      "speech_quota_exceeded",
      true,
    ],
    [{ details: "Cannot send on connection that is in Disconnected state" }, "speech_region_unavailable", true],
  ])("[OPS-7c] is, for %j, %s", (failure, code, retryable) => {
    const error = toSpeechError(failure);
    expect(error).toMatchObject({ code, retryable, reason: error.message });
  });

  it("[OPS-7c] tells a refused request from a refused connection", () => {
    expect(toSpeechError({ details: "", closeCode: 1007 })).toBeInstanceOf(SpeechRequestRefusedError);
    expect(toSpeechError({ details: refused(401) })).not.toBeInstanceOf(SpeechRequestRefusedError);
  });

  it("[OPS-7d] never repeats the SDK's text, which may hold the key", () => {
    expect(toSpeechError({ details: refused(401) }).message).not.toContain("secret");
  });
});
