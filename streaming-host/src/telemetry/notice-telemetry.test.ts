import { expect, it } from "vitest";
import { createNoticeTelemetry } from "./notice-telemetry.ts";

it("counts errors and fallbacks by code, and nothing else", () => {
  const counted: string[] = [];
  const count = createNoticeTelemetry((name) => ({
    add: (value, attributes) => counted.push(`${name} ${value} ${attributes?.["code"]}`),
  }));
  count({ type: "error", payload: { code: "speech_quota_exceeded", message: "" } });
  count({ type: "event", payload: { name: "fallback", from: "VOICE_LIVE", to: "MEDIA", reason: "rate_limited" } });
  count({ type: "event", payload: { name: "session_ended", reason: "finished" } });
  expect(counted).toEqual(["voice.errors 1 speech_quota_exceeded", "voice.fallbacks 1 rate_limited"]);
});
