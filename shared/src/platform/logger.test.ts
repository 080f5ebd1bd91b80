import { describe, expect, it } from "vitest";
import { VoiceError } from "./errors.ts";
import { createLogger, type LogFields } from "./logger.ts";

const foreign = "in the words of somebody else, which may quote what they were sent";
const marker = "eyJ0eXAi-a-secret-token";

function lineOf(fields: LogFields): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ level: "info", name: "test", destination }).error(fields, "it failed");
  return lines.join("");
}

/** The error that ioredis creates for a refused AUTH. */
function refusedAuth(): Error {
  const error = Object.assign(new Error("WRONGPASS invalid username-password pair"), {
    command: { name: "auth", args: ["default", marker] },
    code: "WRONGPASS",
  });
  error.name = "ReplyError";
  return error;
}

describe("the log", () => {
  it.each([
    ["an error", { error: refusedAuth() }],
    ["an error under another name", { reason: refusedAuth() }],
    ["the cause of an error", { error: new Error("the cache is unreachable", { cause: refusedAuth() }) }],
    ["one of several errors", { error: new AggregateError([refusedAuth()]) }],
    ["an object that was thrown", { error: { config: { headers: { authorization: marker } } } }],
  ])("says nothing of what a library hangs on %s", (_what, fields) => {
    const line = lineOf(fields);
    expect(line).toContain("it failed");
    expect(line).not.toContain(marker);
  });

  it("has the name, the code, our own message and the place of an error and of its cause", () => {
    const outer = new VoiceError("cache_connection_failed", "outer", { cause: refusedAuth() });
    const line: unknown = JSON.parse(lineOf({ error: outer }));
    const message = foreign;
    expect(line).toMatchObject({
      msg: "it failed",
      error: {
        name: "VoiceError",
        message: "outer",
        stack: expect.stringContaining("logger.test"),
        cause: { name: "ReplyError", code: "WRONGPASS", message, stack: expect.stringContaining("logger.test") },
      },
    });
  });

  it.each([
    [
      "a vendor's answer",
      Object.assign(new Error(`You sent: ${marker}`), { status: 400, code: "bad", type: "invalid" }),
    ],
    ["a text that is no JSON", new SyntaxError(`Unexpected token, "${marker}" is not valid JSON`)],
    ["a header", new TypeError(`Headers.append: "${marker}" is an invalid header value.`)],
    ["a line that looks like a place", new Error(`no\n    at ${marker} (file.ts:1:2)`)],
    [
      "a code, a type, a request id",
      Object.assign(new Error(""), { code: `${marker} x`, type: marker + "2025550187" }),
    ],
    ["a string that was thrown", marker],
  ])("has nothing of foreign prose: %s", (_what, error) => {
    expect(lineOf({ error })).not.toContain(marker);
  });

  it("says by its facts what a vendor answered, and by its engine's words what is our mistake", () => {
    const requestId = "1f0d5a0e-0c3e-4f6a-9a53-2f6d8f0e9b11";
    const facts = { status: 429, code: "quota_exceeded", type: "requests", requestId };
    expect(JSON.parse(lineOf({ error: Object.assign(new Error("prose"), facts) }))).toMatchObject({ error: facts });
    const mistake = new TypeError("Cannot read properties of undefined (reading 'zebulontha')");
    expect(JSON.parse(lineOf({ error: mistake }))).toMatchObject({
      error: { name: "TypeError", message: "Cannot read properties of undefined" },
    });
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
      syscall: "connect",
      code: "ECONNREFUSED",
    });
    expect(JSON.parse(lineOf({ error: refused }))).toMatchObject({
      error: { code: "ECONNREFUSED", message: "connect failed" },
    });
  });

  it("has no more of a long message than its beginning, also not in the stack", () => {
    const line = lineOf({ error: new VoiceError("internal_error", `${"You sent: ".repeat(40)}${marker}`) });
    expect(line).toContain("You sent: You sent:");
    expect(line).not.toContain(marker);
  });

  it("ends with an error that is its own cause", () => {
    const error = new VoiceError("internal_error", "again");
    error.cause = error;
    expect(lineOf({ error })).toContain("again");
  });
});
