import { expect, it } from "vitest";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { createOpenAiDialect } from "./dialect.ts";

const settings: RealtimeSettings = {
  ...realtimeSettings,
  turnDetection: { kind: "semantic", silenceMs: 700, interruptsResponse: true },
};
const detectionAt = (hearsMeaning: boolean): unknown =>
  createOpenAiDialect({ model: "gpt-realtime-2.1", hearsMeaning }).toSession(settings, true)["audio"];

it("has OpenAI end turns by their meaning, and other servers after a silence, because there nobody could interrupt otherwise", () => {
  expect(detectionAt(true)).toMatchObject({
    input: { turn_detection: { type: "semantic_vad", interrupt_response: true } },
  });
  expect(detectionAt(false)).toMatchObject({
    input: { turn_detection: { type: "server_vad", silence_duration_ms: 700, interrupt_response: true } },
  });
});
