import { describe, expect, it } from "vitest";

import { parseCallerArguments, type CallerArguments } from "./caller-arguments.ts";

function accepted(...argv: string[]): CallerArguments {
  const parsed = parseCallerArguments(argv);
  if (parsed.kind !== "run") throw new Error(`not accepted: ${JSON.stringify(parsed)}`);
  return parsed.arguments;
}

describe("the caller's command line", () => {
  it("keeps spoken, recorded and typed lines in the order given", () => {
    expect(accepted("--say", "one", "--wav", "two.wav", "--type", "three", "--say", "four").lines).toEqual([
      { kind: "say", text: "one" },
      { kind: "wav", path: "two.wav" },
      { kind: "type", text: "three" },
      { kind: "say", text: "four" },
    ]);
  });

  it("calls the local service with a synthetic voice unless told otherwise", () => {
    const { url, voice, out, mono, interruptAfterMs } = accepted("--say", "hello");
    expect(url.href).toBe("ws://127.0.0.1:8080/api/v1/browser/conversation");
    expect({ voice, out, mono, interruptAfterMs }).toEqual({
      voice: "rms",
      out: undefined,
      mono: false,
      interruptAfterMs: undefined,
    });
  });

  it("turns an http address into a socket address and keeps a path that was given", () => {
    expect(accepted("--say", "x", "--url", "https://voice.example.com").url.href).toBe(
      "wss://voice.example.com/api/v1/browser/conversation",
    );
    expect(accepted("--say", "x", "--url", "ws://h:1/api/v1/realtime/conversation").url.pathname).toBe(
      "/api/v1/realtime/conversation",
    );
  });

  it("reads durations as milliseconds", () => {
    const parsed = accepted("--say", "x", "--interrupt-after", "600", "--timeout", "9000", "--limit", "60000");
    expect(parsed).toMatchObject({ interruptAfterMs: 600, timeoutMs: 9000, limitMs: 60_000 });
  });

  it.each([
    [[], "nothing to say"],
    [["--say", "  "], "nothing to say"],
    [["--say", "x", "--url", "localhost"], "--url: not a WebSocket address: localhost"],
    [["--say", "x", "--url", "ftp://h"], "--url: not a WebSocket address"],
    [["--say", "x", "--interrupt-after", "soon"], "--interrupt-after"],
    [["--say", "x", "--timeout", "-5"], "--timeout"],
    [["--shout", "x"], "--shout"],
    [["hello"], "hello"],
  ])("refuses %j and says why", (argv, reason) => {
    const parsed = parseCallerArguments(argv);
    expect(parsed).toMatchObject({ kind: "invalid", message: expect.stringContaining(reason) });
  });

  it("shows help rather than complaining about what else is missing", () => {
    expect(parseCallerArguments(["-h"])).toEqual({ kind: "help" });
  });

  it("keeps keys and silence in their place", () => {
    expect(parseCallerArguments(["--dtmf", "12#", "--silence", "3000", "--say", "hello"])).toMatchObject({
      arguments: {
        lines: [
          { kind: "dtmf", keys: "12#" },
          { kind: "silence", durationMs: 3000 },
          { kind: "say", text: "hello" },
        ],
      },
    });
    expect(parseCallerArguments(["--dtmf", "hello"])).toMatchObject({ kind: "invalid" });
    expect(parseCallerArguments(["--silence", "soon"])).toMatchObject({ kind: "invalid" });
  });
});
