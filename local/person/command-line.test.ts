import { describe, expect, it } from "vitest";
import { actionOptions, parseCommandLine } from "./command-line.ts";

const parse = (...argv: string[]) => parseCommandLine(argv, actionOptions);

describe("a simulated person's command line", () => {
  it("keeps all that is to be done in the order given", () => {
    const argv = ["--say", "one", "--wav", "2.wav", "--type", "three", "--dtmf", "4#", "--silence", "500", "--listen"];
    expect(parse(...argv, "--press", "6", "--say", "seven")).toMatchObject({
      kind: "run",
      actions: [
        { kind: "say", text: "one" },
        { kind: "play", path: "2.wav" },
        { kind: "type", text: "three" },
        { kind: "press", keys: "4#" },
        { kind: "wait", durationMs: 500 },
        { kind: "listen" },
        { kind: "press", keys: "6" },
        { kind: "say", text: "seven" },
      ],
    });
  });

  it("shows help rather than complaining about what else is missing", () => {
    expect(parse("-h")).toEqual({ kind: "help" });
    expect(parse("--help", "--press", "hello")).toEqual({ kind: "help" });
  });

  it.each([
    [["--shout", "x"], "--shout"],
    [["hello"], "hello"],
    [["--dtmf", "hello"], "--dtmf expects keys"],
    [["--press", "1 2"], "--press expects keys"],
    [["--silence", "soon"], "--silence"],
    [["--say"], "--say"],
  ])("refuses %j and names the option", (argv, reason) => {
    expect(parse(...argv)).toMatchObject({ kind: "invalid", message: expect.stringContaining(reason) });
  });
});
