import { describe, expect, it } from "vitest";
import { dialInstructions } from "./instructions.ts";

const line = { callId: "call-1", settings: { baseUrl: "https://voice.example", streamingHostUrl: undefined } };

function headersOf(reason: string): URLSearchParams {
  const context = { Reason: reason, "Session-Id": "session-1" };
  const dialled = { target: "sip:desk@pbx.example", callerNumber: "+12025550100", timeoutMs: 30_000, operation: "op" };
  const [, headers = ""] =
    /sip:desk@pbx\.example\?([^<]*)</.exec(dialInstructions(line, { ...dialled, context })) ?? [];
  const encoded = headers.replaceAll("&amp;", "&");
  expect(encoded.length).toBeLessThan(1024);
  return new URLSearchParams(encoded);
}

describe("the instructions for a transfer to a SIP address", () => {
  it("[TWILIO-7b] carry the reason and the session's id", () => {
    const headers = headersOf("Wants a refund & a person");
    expect(headers.get("X-Reason")).toBe("Wants a refund & a person");
    expect(headers.get("X-Session-Id")).toBe("session-1");
  });

  it.each([
    ["long", "a long reason ".repeat(100)],
    ["of letters that take six characters each", "причина ".repeat(50)],
    ["of signs that take twelve", "😀".repeat(100)],
    ["half a sign", `\uD83D${"x".repeat(2000)}`],
  ])("[TWILIO-7b] cut a reason that is %s, because Twilio dials no address with longer headers", (_, reason) => {
    const headers = headersOf(reason);
    const told = headers.get("X-Reason") ?? "";
    expect(told.length).toBeGreaterThan(30);
    expect(reason.toWellFormed().startsWith(told)).toBe(true);
    expect(headers.get("X-Session-Id")).toBe("session-1");
  });
});
