import { describe, expect, it } from "vitest";
import { parsePhoneArguments, typedAction } from "./phone-arguments.ts";

describe("parsePhoneArguments", () => {
  it("keeps what to say and what to press in order", () => {
    expect(parsePhoneArguments(["--inbound", "--say", "hello", "--press", "12#", "--say", "bye"])).toMatchObject({
      kind: "run",
      arguments: {
        call: {
          direction: "inbound",
          script: {
            actions: [
              { kind: "say", text: "hello" },
              { kind: "press", keys: "12#" },
              { kind: "say", text: "bye" },
            ],
          },
        },
      },
    });
  });

  it("puts an answering machine in a person's place", () => {
    const machine = { greeting: "Leave a message.", beeps: true };
    expect(parsePhoneArguments(["--machine", "Leave a message."])).toMatchObject({
      kind: "run",
      arguments: { call: { direction: "outbound", script: { actions: [], machine } } },
    });
  });

  it("keeps its place among what is said for --listen", () => {
    expect(parsePhoneArguments(["--say", "a person please", "--listen", "--say", "bye"])).toMatchObject({
      kind: "run",
      arguments: { call: { script: { actions: [{ kind: "say" }, { kind: "listen" }, { kind: "say" }] } } },
    });
  });

  it("waits for a call unless told to make one", () => {
    expect(parsePhoneArguments([])).toMatchObject({ kind: "run", arguments: { call: { direction: "outbound" } } });
    expect(parsePhoneArguments(["--platform"])).toMatchObject({
      kind: "run",
      arguments: { call: { direction: "platform" } },
    });
  });

  it.each([
    [["--pick-up-after", "soon"], /pick-up-after/],
    [["--url", "ftp://x"], /url/],
    [["--sing"], /sing/],
  ])("names what is wrong with %o", (argv, message) => {
    expect(parsePhoneArguments(argv)).toMatchObject({ kind: "invalid", message: expect.stringMatching(message) });
  });
});

describe("a line that is typed during a call", () => {
  it("is spoken, unless it is keys or nothing", () => {
    expect(typedAction(" my card is gone ")).toEqual({ kind: "say", text: "my card is gone" });
    expect(typedAction("12#")).toEqual({ kind: "press", keys: "12#" });
    expect(typedAction("12 people")).toEqual({ kind: "say", text: "12 people" });
    expect(typedAction("  ")).toBeUndefined();
  });
});
