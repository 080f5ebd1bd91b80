import { describe, expect, it } from "vitest";
import { hookSessionId } from "../../testing/platform-end.ts";
import { parseEnvelope, parseMessage } from "./platform-messages.ts";
import type { OpenParameters } from "./platform-messages.ts";

const envelope = { version: "2", id: hookSessionId, type: "ping", seq: 1, serverseq: 0, parameters: {} };

function problemOf(message: object): string {
  const received = parseEnvelope(JSON.stringify({ ...envelope, ...message }));
  if (!received.ok) return received.problem;
  const parsed = parseMessage(received.value);
  return parsed === undefined || parsed.ok ? "" : parsed.problem;
}

/** What an `open` says that names the least it may, and this. */
function openingOf(said: object): OpenParameters | undefined {
  const media = [{ type: "audio", format: "PCMU", channels: ["external"], rate: 8000 }];
  const least = {
    organizationId: hookSessionId,
    conversationId: hookSessionId,
    participant: { id: hookSessionId },
    media,
  };
  const received = parseEnvelope(JSON.stringify({ ...envelope, type: "open", parameters: { ...least, ...said } }));
  const message = received.ok ? parseMessage(received.value) : undefined;
  return message?.ok === true && message.value.type === "open" ? message.value.parameters : undefined;
}

describe("a message of a telephony platform", () => {
  it.each([
    [{ id: "not a GUID" }, /^Invalid message: id: /],
    [{ seq: -1 }, /^Invalid message: seq: /],
    [{ version: "3" }, /^Invalid message: version: /],
    [{ type: "dtmf", parameters: { digit: "x" } }, /^Invalid dtmf: parameters\.digit: /],
    [
      { type: "discarded", parameters: { discarded: "1s" } },
      /^Invalid discarded: parameters\.discarded: must be seconds/,
    ],
    [{ type: "open" }, /^Invalid open: parameters\.organizationId: /],
  ])("[HOOK-5] with %o is refused by the name of the field", (message, problem) => {
    expect(problemOf(message)).toMatch(problem);
  });

  it("[HOOK-5] that is no message, or more than one can be, is refused with the reason", () => {
    const problems = [
      "{",
      "[]",
      JSON.stringify({ ...envelope, parameters: { many: Array.from({ length: 1001 }, () => 0) } }),
      JSON.stringify({ ...envelope, parameters: { long: "x".repeat(65_536) } }),
    ].map((text) => {
      const received = parseEnvelope(text);
      return received.ok ? "" : received.problem;
    });
    expect(problems).toEqual([
      "The message is not JSON.",
      "Invalid message: Invalid input: expected object, received array",
      "A message holds at most 1000 values.",
      "A message has at most 65535 characters.",
    ]);
  });

  it("may leave open what an `open` need not say, or say nothing in it", () => {
    const nothing = { supportedLanguages: null, customConfig: null, continuedSessions: null, inputVariables: null };
    for (const said of [{}, nothing])
      expect(openingOf(said)).toMatchObject({
        participant: { ani: "", aniName: "", dnis: "" },
        supportedLanguages: false,
        customConfig: {},
        continuedSessions: [],
        inputVariables: {},
      });
    expect(openingOf({ inputVariables: { plan: "gold", tries: 2, vip: null } })?.inputVariables).toEqual({
      plan: "gold",
      tries: "2",
    });
    expect(openingOf({ language: "no language" })?.language).toBeUndefined();
    expect(openingOf({ language: "de-DE" })?.language).toBe("de-DE");
  });

  it("may be of a type, and have fields, that we do not know", () => {
    expect(problemOf({ type: "applauded" })).toBe("");
    expect(problemOf({ type: "error", parameters: { code: 429, retryAfter: "PT.5S", more: {} } })).toBe("");
    const received = parseEnvelope(
      JSON.stringify({ ...envelope, type: "error", parameters: { retryAfter: "PT1.5S" } }),
    );
    expect(received.ok && parseMessage(received.value)).toMatchObject({
      value: { parameters: { code: 500, retryAfter: 1500 } },
    });
  });
});
