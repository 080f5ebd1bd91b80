import { describe, expect, it } from "vitest";
import { createLogger, type LogFields } from "./logger.ts";

const marker = "eyJ0eXAi-a-secret-token";

function lineOf(fields: LogFields): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ level: "info", name: "test", destination }).error(fields, "it failed");
  return lines.join("");
}

/** As ioredis makes it of a refused AUTH. */
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

  it("has the name, the code, the message and the place of an error and of its cause", () => {
    const line: unknown = JSON.parse(lineOf({ error: new Error("outer", { cause: refusedAuth() }) }));
    const message = "WRONGPASS invalid username-password pair";
    expect(line).toMatchObject({
      msg: "it failed",
      error: {
        name: "Error",
        message: "outer",
        stack: expect.stringContaining("logger.test"),
        cause: { name: "ReplyError", code: "WRONGPASS", message, stack: expect.stringContaining("logger.test") },
      },
    });
  });

  it("has no more of a long message than its beginning, also not in the stack", () => {
    const line = lineOf({ error: new Error(`${"You sent: ".repeat(40)}${marker}`) });
    expect(line).toContain("You sent: You sent:");
    expect(line).not.toContain(marker);
  });

  it("ends with an error that is its own cause", () => {
    const error = new Error("again");
    error.cause = error;
    expect(lineOf({ error })).toContain("again");
  });
});
