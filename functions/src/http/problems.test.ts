import { problem, problemStatuses } from "@voice/shared/contracts/http/problem";
import { BadRequestError, errorCodes, VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { bodyTooLarge, rangeUnsatisfiable, toErrorReply } from "./problems.ts";
import { SchemaError } from "./validation.ts";

const nowMs = Date.UTC(2026, 0, 1);

describe("errors as answers", () => {
  it.each(errorCodes)("give %s the contract's body and status, without the exception's text", (code) => {
    const reply = toErrorReply(new VoiceError(code, "password=hunter2"), "/path", nowMs);
    expect(reply.status).toBe(problemStatuses[code]);
    expect(problem.parse(reply.body)).toMatchObject({
      status_code: reply.status,
      type: code,
      instance: "/path",
      timestamp: "2026-01-01T00:00:00.000Z",
      errors: [],
    });
    expect(JSON.stringify(reply)).not.toContain("hunter2");
  });

  it("pass on what was written for the caller", () => {
    const fields = [{ field: "a", message: "One of x, y", code: "format_invalid" }];
    const reply = toErrorReply(new BadRequestError("audio_format_unsupported", "Not this.", fields), "/path", nowMs);
    expect(reply).toMatchObject({ status: 400, body: { detail: "Not this.", errors: fields } });
  });

  it("say when to try again, and how to authenticate", () => {
    const headersOf = (code: (typeof errorCodes)[number]) => toErrorReply(new VoiceError(code, ""), "/", nowMs).headers;
    expect(headersOf("dependency_not_ready")).toEqual({ "retry-after": "5" });
    expect(headersOf("cache_connection_failed")).toEqual({ "retry-after": "2" });
    expect(headersOf("rate_limited")).toEqual({ "retry-after": "10" });
    const asked = new VoiceError("dependency_not_ready", "", { retryAfterMs: 12_300 });
    expect(toErrorReply(asked, "/", nowMs).headers).toEqual({ "retry-after": "13" });
    expect(headersOf("unauthorized")).toEqual({ "www-authenticate": "Bearer" });
    expect(headersOf("not_found")).toEqual({});
  });

  it("keep 422 for invalid values and 413 for large bodies", () => {
    const detail = [{ loc: ["body"], msg: "Field required", type: "missing" }];
    expect(toErrorReply(new SchemaError(detail), "/", nowMs)).toEqual({ status: 422, body: { detail } });
    expect(toErrorReply(bodyTooLarge(10), "/", nowMs)).toMatchObject({
      status: 413,
      body: { status_code: 413 },
    });
  });

  it("say with 416 how long the file is", () => {
    const reply = toErrorReply(rangeUnsatisfiable(44), "/", nowMs);
    expect(reply).toMatchObject({ status: 416, headers: { "accept-ranges": "bytes", "content-range": "bytes */44" } });
    expect(problem.parse(reply.body)).toMatchObject({ status_code: 416, errors: [{ field: "range" }] });
  });

  it("take anything that can be thrown", () => {
    for (const thrown of [new Error("hunter2"), "hunter2", undefined, null, { message: "hunter2" }]) {
      const reply = toErrorReply(thrown, "/", nowMs);
      expect(reply.status).toBe(500);
      expect(JSON.stringify(reply)).not.toContain("hunter2");
    }
  });
});
