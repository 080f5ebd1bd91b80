import { RestError } from "@azure/core-rest-pipeline";
import { describe, expect, it } from "vitest";
import { toCallError, toRingingCallError, toStreamError } from "./errors.ts";

function refused(message: string, statusCode = 400): RestError {
  return new RestError(message, { statusCode });
}

describe("toCallError", () => {
  it.each([
    "The target phone number is not valid.",
    "Invalid PhoneNumber in targets.",
    "TargetParticipant: the identifier is not supported.",
    "The participant identifier is malformed.",
  ])("[OUT-3] blames the number where the service does: %s", (message) => {
    expect(toCallError(refused(message), "placing a call")).toMatchObject({
      code: "pstn_number_invalid",
      retryable: false,
    });
  });

  it.each([
    "Invalid media streaming options: TransportUrl is not valid for the target environment.",
    "The transport target must be a WebSocket.",
    "The callbackUri of the target is not reachable.",
    "Callback URI: unknown identifier.",
  ])("blames no number for an address that the service does not take: %s", (message) => {
    expect(toCallError(refused(message), "placing a call")).toMatchObject({
      code: "upstream_unavailable",
      retryable: false,
    });
  });

  it("keeps the service's words, which may hold a number, out of the message", () => {
    const error = toCallError(refused("The phone number +12025550184 is not valid."), "placing a call");
    expect(error.message).not.toContain("+1202");
  });

  it.each([
    [404, "call_not_found", false],
    [429, "rate_limited", true],
    [503, "upstream_unavailable", true],
  ])("says what %i means", (status, code, retryable) => {
    expect(toCallError(refused("no", status), "placing a call")).toMatchObject({ code, retryable });
  });
});

describe("toRingingCallError", () => {
  it.each([
    [404, "8522"],
    [400, "8523"],
    [403, "7507"],
  ])("[IN-3] says that it is too late where the service answers %i with %s", (statusCode, code) => {
    const error = new RestError("refused", { statusCode, code });
    expect(toRingingCallError(error, "answering a call")).toMatchObject({ code: "call_not_found", retryable: false });
  });

  it("leaves other refusals what they are", () => {
    const codeOf = (statusCode: number) =>
      toRingingCallError(new RestError("refused", { statusCode, code: "8500" }), "answering a call").code;
    expect([400, 403].map(codeOf)).toEqual(["upstream_unavailable", "upstream_unavailable"]);
  });
});

describe("toStreamError", () => {
  it("says that the stream failed where the service refuses it, and leaves what is not the stream's alone", () => {
    const codeOf = (status: number) => toStreamError(toCallError(refused("no", status), "starting the stream"));
    expect(codeOf(400)).toMatchObject({ code: "media_streaming_failed", retryable: false });
    expect(codeOf(503)).toMatchObject({ code: "media_streaming_failed", retryable: true });
    expect(codeOf(404)).toMatchObject({ code: "call_not_found" });
  });
});
