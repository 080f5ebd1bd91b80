import { expect, it } from "vitest";
import { encodeAudioMessage, encodeMessage } from "./envelope.ts";

const moments = [
  "2026-03-21T10:00:00.000Z",
  "2026-03-21T10:00:00.007Z",
  "2026-03-21T10:00:00.999Z",
  "2026-03-21T10:00:01.050Z",
  "2026-03-21T09:59:59.100Z",
  "1969-12-31T23:59:59.990Z",
];

it("says when a message was made, to the millisecond", () => {
  for (const moment of moments) {
    const notice: unknown = JSON.parse(encodeMessage("event", "session-1", Date.parse(moment), { name: "handoff" }));
    expect(notice).toEqual({ type: "event", session_id: "session-1", timestamp: moment, payload: { name: "handoff" } });
    const audio: unknown = JSON.parse(
      encodeAudioMessage("session-1", Date.parse(moment), Int16Array.of(1, -1), 16_000),
    );
    expect(audio).toMatchObject({ timestamp: moment, payload: { data: "AQD//w==", sample_rate: 16_000 } });
  }
});
