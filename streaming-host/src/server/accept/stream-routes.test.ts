import { noSuchLanguage } from "@voice/shared/languages/language-tag";
import { idField } from "@voice/shared/contracts/http/fields";
import { describe, expect, it } from "vitest";
import { matchStreamRoute } from "./stream-routes.ts";

describe("the address of a call's stream", () => {
  const asked = (rest: string) => matchStreamRoute(new URL(`ws://host/api/v1/${rest}`));

  it("takes every session's id that the HTTP API takes, whose tickets would open nothing otherwise", () => {
    for (const session_id of ["s", "user@example.com", "line:7+1"]) {
      expect(idField.safeParse(session_id).success).toBe(true);
      const query = `session_id=${encodeURIComponent(session_id)}`;
      expect(asked(`realtime/conversation?${query}`)).toMatchObject({ route: { query: { session_id } } });
    }
  });

  it("takes a streaming mode in either letter case, as the HTTP API does", () => {
    expect(asked("browser/conversation?streaming_mode=voice_live")).toMatchObject({
      route: { query: { streaming_mode: "VOICE_LIVE" } },
    });
  });

  it("takes the mode of a telephony platform in either letter case, too", () => {
    expect(asked("telephony/stream?streaming_mode=transcription")).toMatchObject({
      route: { query: { streaming_mode: "TRANSCRIPTION" } },
    });
  });

  it("[HS-2a] is refused by the name of a list of which one item is unknown, with those that are known", () => {
    expect(asked("telephony/stream?events=transcript,noise")).toEqual({
      type: "invalid-query",
      field: "events",
      problem: expect.stringMatching(/^Invalid option: expected one of ".+"\|".+"$/),
    });
  });

  it.each([
    ["media/stream", "call_connection_id", "is required"],
    ["realtime/listen", "session_id", "is required"],
    ["realtime/listen?sesion_id=s", "sesion_id", 'is unknown (did you mean "session_id"?)'],
    ["browser/conversation?agents=me", "agents", 'is unknown (did you mean "agent"?)'],
  ])("[HS-2a] %s is refused in words that say what to change", (rest, field, problem) => {
    expect(asked(rest)).toEqual({ type: "invalid-query", field, problem });
  });

  it("[MEDIA-7] may carry parameters that somebody on the way has added", () => {
    const url = new URL("ws://host/api/v1/media/stream?call_id=call-1&session_id=session-1&front-door=eu-1");
    expect(matchStreamRoute(url, "connection-1")).toEqual({
      type: "route",
      route: {
        kind: "media",
        query: { call_connection_id: "connection-1", call_id: "call-1", session_id: "session-1" },
      },
    });
  });

  it.each(["browser/conversation", "browser/dashboard/relay", "realtime/listen"])(
    "[HS-2b] %s may carry the key of a gateway, which a page can only put there",
    (socket) => {
      const carried = asked(`${socket}?session_id=s&subscription-key=5ecret&code=1`);
      expect(carried).toMatchObject({ type: "route", route: { query: { session_id: "s" } } });
      expect(JSON.stringify(carried)).not.toContain("5ecret");
    },
  );

  it("[HS-2b] is refused where a parameter has two values, of which one would be ignored", () => {
    const asked = (query: string) => matchStreamRoute(new URL(`ws://host/api/v1/browser/conversation?${query}`));
    expect(asked("session_id=session-1&session_id=session-2")).toEqual({
      type: "invalid-query",
      field: "session_id",
      problem: "is given twice, with different values",
    });
    expect(asked("session_id=session-1&session_id=session-1")).toMatchObject({ type: "route" });
    const byGateway = new URL("ws://host/api/v1/media/stream?call_connection_id=connection-1&hop=1&hop=2");
    expect(matchStreamRoute(byGateway)).toMatchObject({ type: "route" });
  });

  it("[LANG-4a] [LANG-6] may say what a browser's user speaks and where they are, and nothing that there is not", () => {
    const asked = (query: string) => matchStreamRoute(new URL(`ws://host/api/v1/browser/conversation?${query}`));
    expect(asked("language=de-DE&time_zone=Europe/Berlin")).toMatchObject({
      route: { query: { language: "de-DE", time_zone: "Europe/Berlin" } },
    });
    expect(asked("language=german")).toMatchObject({ type: "invalid-query", field: "language" });
    expect(asked("language=xx-YY")).toMatchObject({
      type: "invalid-query",
      problem: expect.stringContaining(noSuchLanguage),
    });
    expect(asked("time_zone=Berlin")).toMatchObject({ type: "invalid-query", field: "time_zone" });
  });
});
