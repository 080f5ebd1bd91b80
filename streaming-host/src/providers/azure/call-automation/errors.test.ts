import { readFileSync } from "node:fs";
import path from "node:path";
import { createHttpHeaders, createPipelineRequest, RestError } from "@azure/core-rest-pipeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toCallError, toRingingCallError, toStreamError } from "./errors.ts";

function answered(statusCode: number, bodyAsText: string, message = bodyAsText): RestError {
  const request = createPipelineRequest({ url: "https://comm.example.com/calling/callConnections" });
  return new RestError(message, {
    statusCode,
    response: { request, headers: createHttpHeaders(), status: statusCode, bodyAsText },
  });
}

/** In the service's own words, as `CommunicationErrorResponse` of its API has them. */
function refused(message: string, statusCode = 400, code = "8500"): RestError {
  return answered(statusCode, JSON.stringify({ error: { code, message } }), message);
}

describe("toCallError", () => {
  it.each([
    "The target phone number is not valid.",
    "Invalid PhoneNumber in targets.",
    "TargetParticipant: the identifier is not supported.",
    "The participant identifier is malformed.",
  ])("[OUT-3c] blames the number where the service does: %s", (message) => {
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
    [400, "upstream_unavailable", false],
    [409, "conflict", false],
    [429, "rate_limited", true],
    [503, "upstream_unavailable", true],
  ])("says what %i means", (status, code, retryable) => {
    expect(toCallError(refused("no", status), "placing a call")).toMatchObject({ code, retryable });
  });
});

describe("a refusal with one of the service's own codes", () => {
  it.each([
    [403, "7507", false, "the caller id or the called number does not belong"],
    [400, "8567", false, "the AI resource of COMM_COGNITIVE_ENDPOINT is not connected"],
    [405, "8522", false, "a configuration is missing"],
    [403, "510403", false, "the call was blocked"],
    [400, "8523", false, "invalid"],
    [412, "8503", false, "does not fit the state of the call"],
    [400, "8502", true, "an error inside the communication service"],
    [404, "8544", false, "could not reach them"],
  ])("[REASON-10a] says what the table of codes says of %i/%s", (status, code, retryable, about) => {
    expect(toCallError(refused("no", status, code), "holding a call")).toMatchObject({
      code: "upstream_unavailable",
      retryable,
      reason: expect.stringContaining(about),
      message: expect.stringContaining(`holding a call failed with ${status}`),
    });
  });

  it.each([
    [400, "8530"],
    [403, "8529"],
    [400, "8516"],
  ])("[REASON-10b] is a limit where the table says so, whatever the status: %i/%s", (status, code) => {
    expect(toCallError(refused("no", status, code), "placing a call")).toMatchObject({
      code: "rate_limited",
      retryable: true,
    });
  });

  it("[REASON-10d] does not blame the number for a code that names another cause, whatever its message says", () => {
    const error = refused("The phone number of the target does not belong to the resource.", 400, "7507");
    expect(toCallError(error, "placing a call")).toMatchObject({ code: "upstream_unavailable" });
    expect(toCallError(refused("no", 400, "560404"), "placing a call").code).toBe("pstn_number_invalid");
  });

  it("[REASON-10a] is found below a code that says no more than the status", () => {
    const body = JSON.stringify({ error: { code: "Forbidden", innerError: { code: "7505" } } });
    expect(toCallError(answered(403, body), "answering a call")).toMatchObject({
      reason: "the service does not accept our identity or its rights",
    });
  });

  it.each(["", "<html><body>403 Forbidden</body></html>", '{"message":"forbidden"}'])(
    "[LOST-3] is none where a 403 is a gateway's, which passes: %s",
    (body) => {
      expect(toCallError(answered(403, body), "answering a call")).toMatchObject({
        code: "upstream_unavailable",
        retryable: true,
      });
    },
  );
});

const captured = z
  .array(
    z.object({
      about: z.string(),
      status: z.number(),
      body: z.unknown(),
      means: z.record(z.string(), z.unknown()),
    }),
  )
  .parse(
    JSON.parse(
      readFileSync(path.join(import.meta.dirname, "../../../../../test/fixtures/comm-service/refusals.json"), "utf8"),
    ),
  );

describe("a refusal that somebody has seen", () => {
  it.each(captured)("[LOST-3] [REASON-10c] means what the service says: $about", ({ status, body, means }) => {
    expect(toCallError(answered(status, JSON.stringify(body)), "a request")).toMatchObject(means);
  });
});

describe("toRingingCallError", () => {
  it.each([
    [404, "8522"],
    [400, "8523"],
    [403, "7507"],
  ])("[IN-3] says that it is too late where the service answers %i with %s", (statusCode, code) => {
    const error = refused("refused", statusCode, code);
    expect(toRingingCallError(error, "answering a call")).toMatchObject({ code: "call_not_found", retryable: false });
  });

  it("leaves other refusals what they are", () => {
    const codeOf = (statusCode: number) => toRingingCallError(refused("refused", statusCode), "answering a call").code;
    expect([400, 403].map(codeOf)).toEqual(["upstream_unavailable", "upstream_unavailable"]);
  });
});

describe("a call that the service does not know", () => {
  it.each([
    JSON.stringify({ error: { code: "8522", message: "Call not found." } }),
    JSON.stringify({ error: { code: 8522, message: "Call not found." } }),
    JSON.stringify({ error: { code: "NotFound", innerError: { code: "8522" } } }),
    JSON.stringify({ error: { code: "404", subCode: 8522 } }),
    JSON.stringify({ error: { code: "NotFound", details: [{ code: "8522" }] } }),
  ])("[LOST-3] is one of which it says so by its own code: %s", (body) => {
    expect(toCallError(answered(404, body), "asking for a call")).toMatchObject({
      code: "call_not_found",
      retryable: false,
    });
  });

  it.each([
    [404, JSON.stringify({ message: "No HTTP resource was found that matches the request URI." })],
    [404, JSON.stringify({ error: { code: "NotFound", message: "no such resource" } })],
    [404, JSON.stringify({ error: { code: "404", message: "8522" } })],
    [404, JSON.stringify({ error: "8522" })],
    [404, "<html><body>404 Not Found 8522</body></html>"],
    [404, ""],
    [400, "<html><body>400 Bad Request: the request target is invalid</body></html>"],
    [405, ""],
    [409, "<html></html>"],
    [410, ""],
    [421, "{"],
    [502, JSON.stringify({ error: { code: "8522" } })],
  ])("[LOST-3] is not one of which something else says so, which passes: %i %s", (status, body) => {
    expect(toCallError(answered(status, body), "asking for a call")).toMatchObject({
      code: "upstream_unavailable",
      retryable: true,
    });
  });

  it("[LOST-3] is not one of which it could not find something else", () => {
    expect(toCallError(refused("Participant not found.", 404, "8543"), "removing somebody from a call")).toMatchObject({
      code: "upstream_unavailable",
      retryable: false,
    });
  });
});

describe("toStreamError", () => {
  it("says that the stream failed where the service refuses it, and leaves what is not the stream's alone", () => {
    const codeOf = (status: number, code?: string) =>
      toStreamError(toCallError(refused("no", status, code), "starting the stream"));
    expect(codeOf(400)).toMatchObject({ code: "media_streaming_failed", retryable: false });
    expect(codeOf(503)).toMatchObject({ code: "media_streaming_failed", retryable: true });
    expect(codeOf(404, "8522")).toMatchObject({ code: "call_not_found" });
  });
});
