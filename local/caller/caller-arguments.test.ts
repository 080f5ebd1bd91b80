import { describe, expect, it } from "vitest";
import { parseCallerArguments } from "./caller-arguments.ts";

function accepted(...argv: string[]) {
  const parsed = parseCallerArguments(argv);
  if (parsed.kind !== "run") throw new Error(`not accepted: ${JSON.stringify(parsed)}`);
  return parsed;
}

describe("the caller's command line", () => {
  it("calls the local service with a synthetic voice unless told otherwise", () => {
    const { url, voice, out, mono, "interrupt-after": interruptAfterMs } = accepted("--say", "hello").settings;
    expect(url.href).toBe("ws://127.0.0.1:8080/api/v1/browser/conversation");
    expect({ voice, out, mono, interruptAfterMs }).toEqual({
      voice: "rms",
      out: undefined,
      mono: false,
      interruptAfterMs: undefined,
    });
  });

  it.each([
    ["https://voice.example.com", "wss://voice.example.com/api/v1/browser/conversation"],
    ["localhost:8081", "ws://localhost:8081/api/v1/browser/conversation"],
    ["ws://h:1/api/v1/realtime/conversation", "ws://h:1/api/v1/realtime/conversation"],
  ])("understands %s as the address of a socket", (given, url) => {
    expect(accepted("--say", "x", "--url", given).settings.url.href).toBe(url);
  });

  it("reads durations as milliseconds", () => {
    const { settings } = accepted("--say", "x", "--interrupt-after", "600", "--timeout", "9000", "--limit", "60000");
    expect(settings).toMatchObject({ "interrupt-after": 600, timeout: 9000, limit: 60_000 });
  });

  it.each([
    [[], "nothing to say"],
    [["--say", "  "], "nothing to say"],
    [["--say", "x", "--url", "ftp://h"], "--url is not an address"],
    [["--say", "x", "--interrupt-after", "soon"], "--interrupt-after"],
    [["--say", "x", "--timeout", "-5"], "--timeout"],
    [["--say", "x", "--voice", "xyz"], "--voice expects one of the voices slt, rms"],
  ])("refuses %j and says why", (argv, reason) => {
    expect(parseCallerArguments(argv)).toMatchObject({ kind: "invalid", message: expect.stringContaining(reason) });
  });
});
