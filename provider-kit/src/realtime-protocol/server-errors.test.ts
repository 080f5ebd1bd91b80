import { expect, it } from "vitest";
import { readError, requestIdStart, forgettingId, updateIdStart } from "./server-errors.ts";

const read = (error: object) => readError({ type: "error", error: { type: "invalid_request_error", ...error } });

it.each(["response_cancel_not_active", "input_audio_buffer_commit_empty"])(
  "takes %s for no error, because the service has already done what was asked",
  (code) => {
    expect(read({ code, message: "too late" })).toEqual({ type: "nothing" });
  },
);

it("knows what was refused by the id of our event", () => {
  const requestId = `${requestIdStart}7`;
  expect(read({ code: "bad", event_id: forgettingId })).toEqual({ type: "nothing" });
  expect(read({ code: "bad", event_id: requestId })).toMatchObject({ type: "request-refused", requestId });
  const updateId = `${updateIdStart}2`;
  expect(read({ code: "bad", event_id: updateId, param: "session.speed" })).toMatchObject({
    type: "refused",
    updateId,
    refusal: { code: "bad", param: "session.speed" },
  });
  expect(read({ code: "conversation_already_has_active_response" })).toEqual({ type: "response-refused" });
  expect(read({ code: "bad" })).toMatchObject({ type: "refused" });
  expect(read({ code: "server_error", event_id: updateId })).toMatchObject({ type: "update-failed", updateId });
});

it("names the code and the field, and quotes no message", () => {
  const refused = read({ code: "rate_limit_exceeded", param: "session.tools[0]", message: "Slow down, Ms Miller." });
  expect(refused).toMatchObject({
    error: {
      code: "rate_limited",
      reason: "the realtime model refused a request (rate_limit_exceeded, session.tools[0])",
    },
  });
  expect(read({ param: "Ms Miller" })).toMatchObject({
    error: { reason: "the realtime model refused a request (invalid_request_error)" },
  });
  expect(JSON.stringify(refused)).not.toContain("Miller");
});

it.each([
  [{ type: "server_error", code: "model_overrun" }, "upstream_unavailable"],
  [{ type: "server_error", code: null }, "upstream_unavailable"],
  [{ type: "tokens", code: "rate_limit_exceeded" }, "rate_limited"],
  [{ type: "rate_limit_error" }, "rate_limited"],
  [{ code: 429 }, "rate_limited"],
  [{ code: 503 }, "upstream_unavailable"],
  [{ code: "insufficient_quota" }, "rate_limited"],
  [{ code: "invalid_api_key" }, "upstream_unavailable"],
  [{ type: "authentication_error", code: null }, "upstream_unavailable"],
  [{ code: "Forbidden" }, "upstream_unavailable"],
])("[RT-41] takes %o for no refusal of settings, whatever the event was", (fields, code) => {
  expect(readError({ error: fields })).toMatchObject({ type: "error", error: { code } });
  const ofUpdate = { event_id: `${updateIdStart}1`, ...fields };
  expect(readError({ error: ofUpdate })).toMatchObject({ type: "update-failed", error: { code } });
});

it.each([
  { type: "error", error: { code: "invalid_server_vad" } },
  { type: "error", error: { code: 400, param: ["session"], message: "Unknown parameter: 'session.voice'." } },
  { type: "error", error: "Unknown parameter: 'session.voice'." },
  { type: "error", message: "Unknown parameter: 'session.voice'." },
])("reads a refusal that is written in another way: %o", (raw) => {
  expect(readError(raw)).toMatchObject({ type: "refused" });
});
