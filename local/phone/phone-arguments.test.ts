import { describe, expect, it } from "vitest";
import { directionOf, parsePhoneArguments } from "./phone-arguments.ts";

function accepted(...argv: string[]) {
  const parsed = parsePhoneArguments(argv);
  if (parsed.kind !== "run") throw new Error(`not accepted: ${JSON.stringify(parsed)}`);
  return parsed;
}

describe("the phone's command line", () => {
  it.each([
    [[], "outbound"],
    [["--say", "hello"], "outbound"],
    [["--inbound"], "inbound"],
    [["--platform"], "platform"],
  ])("with %j makes the call %s", (argv, direction) => {
    expect(directionOf(accepted(...argv).settings)).toBe(direction);
  });

  it("takes typed lines after what is to be done anyway", () => {
    expect(accepted("--inbound", "--say", "hello", "--type")).toMatchObject({
      actions: [{ kind: "say", text: "hello" }],
      settings: { type: true },
    });
  });

  it("understands an address without a scheme", () => {
    expect(accepted("--url", "localhost:9000").settings.url.href).toBe("http://localhost:9000/");
  });

  it.each([
    [["--pick-up-after", "soon"], /pick-up-after/],
    [["--url", "ftp://x"], /url/],
    [["--url", "ws://x"], /url is no address of a telephone network, which speaks HTTP/],
    [["--voice", "jenny"], /voice expects one of the voices/],
    [["--wav", "hello.wav"], /wav/],
    [["--sing"], /sing/],
  ])("names what is wrong with %j", (argv, message) => {
    expect(parsePhoneArguments(argv)).toMatchObject({ kind: "invalid", message: expect.stringMatching(message) });
  });
});
