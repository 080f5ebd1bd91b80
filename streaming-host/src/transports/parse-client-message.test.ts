import { noSuchLanguage } from "@voice/shared/languages/language-tag";
import { describe, expect, it } from "vitest";
import { parseClientMessage } from "./parse-client-message.ts";

const config = (values: object) => parseClientMessage(JSON.stringify({ type: "config", payload: values }));

describe("a client's message", () => {
  it("[LANG-9] names a time zone that there is", () => {
    expect(config({ time_zone: "Europe/Berlin" })).toMatchObject({ ok: true, input: { time_zone: "Europe/Berlin" } });
    expect(config({ scenario: "banking" })).toMatchObject({ ok: true });
  });

  it.each(["Europe/Bern", "+02:00", ""])("[LANG-9] is refused for the time zone %j, which is named", (zone) => {
    expect(config({ time_zone: zone })).toEqual({
      ok: false,
      problem: "Invalid config: time_zone: must be a time zone such as Europe/Berlin or UTC.",
    });
  });

  it("[LANG-4a] is refused for a language that there is not", () => {
    expect(config({ language: "de-CH" })).toMatchObject({ ok: true });
    const problem = `Invalid config: language: ${noSuchLanguage}.`;
    expect(config({ language: "xx-YY" })).toEqual({ ok: false, problem });
  });

  it("[FR-3] is refused with the name of the field that is wrong", () => {
    const problem = (text: string) => parseClientMessage(text);
    const object = "The message must be a JSON object with a string `type`.";
    expect(problem("[]")).toEqual({ ok: false, problem: object });
    expect(problem('{"type":"text","payload":"hello"}')).toEqual({
      ok: false,
      problem: expect.stringMatching(/^Invalid message: payload: .*record/),
    });
    expect(problem('{"type":5}')).toEqual({ ok: false, problem: expect.stringMatching(/^Invalid message: type: /) });
  });

  it("[HS-6] is refused where it names a setting that there is not, which would be ignored", () => {
    expect(config({ scenaro: "banking" })).toEqual({
      ok: false,
      problem: expect.stringMatching(/^Invalid config: scenaro: is none of scenario, agent, .*time_zone\.$/),
    });
  });

  it.each([{ kind: "StopAudio" }, { Kind: "stopAudio" }, { type: "StopAudio" }, { type: "stop_audio" }])(
    "[TURN-12a] says that the caller has finished as %o",
    (message) => {
      expect(parseClientMessage(JSON.stringify(message))).toEqual({ ok: true, input: { type: "stop_audio" } });
    },
  );

  it("[FR-3] that is no JSON is told how words are typed", () => {
    const problem = 'The message is not JSON. Typed words are sent as {"type":"text","text":"…"}.';
    expect(parseClientMessage("I lost my card")).toEqual({ ok: false, problem });
  });

  it("may have fields that are those of our own messages, flat or around `payload`", () => {
    const envelope = { type: "config", session_id: "session-1", timestamp: "2026-03-21T10:00:00.000Z" };
    for (const message of [
      { ...envelope, payload: { scenario: "banking" } },
      { ...envelope, scenario: "banking" },
    ])
      expect(parseClientMessage(JSON.stringify(message))).toMatchObject({ ok: true, input: { scenario: "banking" } });
  });
});
