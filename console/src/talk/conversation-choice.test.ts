import { describe, expect, it } from "vitest";

import { noChoice, readLink, toSocketQuery } from "./conversation-choice.ts";

describe("a link to a conversation", () => {
  it.each([
    "https://v.example/?scenario=bank&agent=cards&mode=voice_live",
    "https://v.example/#talk?scenario=bank&agent=cards&mode=VOICE_LIVE",
  ])("says what to talk about, and with whom: %s", (address) => {
    expect(readLink(new URL(address))).toEqual({
      choice: { scenario: "bank", agent: "cards", mode: "VOICE_LIVE", profileId: undefined },
      sessionId: undefined,
    });
  });

  it("leads back to a conversation that has started", () => {
    expect(readLink(new URL("https://v.example/?session=session-1#talk")).sessionId).toBe("session-1");
  });

  it("chooses nothing if the address says nothing, or something that does not exist", () => {
    expect(readLink(new URL("https://v.example/?mode=loud&scenario=#talk"))).toEqual({
      choice: noChoice,
      sessionId: undefined,
    });
  });
});

describe("the query of a conversation's address", () => {
  it("carries the choices, except when a conversation is resumed", () => {
    const choice = { ...noChoice, scenario: "bank", profileId: "p-1" };
    expect(toSocketQuery(choice, undefined)).toMatchObject({ scenario: "bank", profile_id: "p-1" });
    expect(toSocketQuery(choice, "session-1")).toEqual({ session_id: "session-1", streaming_mode: undefined });
  });

  it("names the session for which agents were made, and the choices that start it", () => {
    const choice = { ...noChoice, agent: "night-desk", preparedSessionId: "session-2" };
    expect(toSocketQuery(choice, undefined)).toMatchObject({ session_id: "session-2", agent: "night-desk" });
    expect(toSocketQuery(choice, "session-2")).toEqual({ session_id: "session-2", streaming_mode: undefined });
  });
});
