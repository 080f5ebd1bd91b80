import { expect, it } from "vitest";
import { realtimeSettings } from "@voice/provider-kit/contracts/realtime-model.contract";
import type { RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import { createOpenAiDialect } from "./dialect.ts";

const settings: RealtimeSettings = {
  ...realtimeSettings,
  turnDetection: { kind: "semantic", silenceMs: 700, interruptsResponse: true },
};
const dialectOf = ({ hearsMeaning = true, transcriptionModels = ["gpt-transcribe", "whisper-1"] }) =>
  createOpenAiDialect({ model: "gpt-realtime-2.1", hearsMeaning, transcriptionModels, serves: () => true });
const detectionAt = (hearsMeaning: boolean): unknown => dialectOf({ hearsMeaning }).toSession(settings, true)["audio"];

it("has OpenAI end turns by their meaning, and other servers after a silence, because there nobody could interrupt otherwise", () => {
  expect(detectionAt(true)).toMatchObject({
    input: { turn_detection: { type: "semantic_vad", interrupt_response: true } },
  });
  expect(detectionAt(false)).toMatchObject({
    input: { turn_detection: { type: "server_vad", silence_duration_ms: 700, interrupt_response: true } },
  });
});

it("[RT-4] sends effort and parallel calls where an agent has them, and no more tokens than the protocol takes", () => {
  const more = { reasoningEffort: "high", parallelToolCalls: false, maxOutputTokens: 9000 } as const;
  expect(dialectOf({}).toSession({ ...settings, ...more }, true)).toMatchObject({
    reasoning: { effort: "high" },
    parallel_tool_calls: false,
    max_output_tokens: 4096,
  });
  expect(Object.keys(dialectOf({}).toSession(settings, true))).not.toContain("reasoning");
});

it("[RT-42] gives each transcription model the language and the phrases as it takes them", () => {
  const spoken = { ...settings, language: "de-DE", candidateLanguages: ["de-AT", "en-US"] };
  const transcriptionBy = (model: string) =>
    dialectOf({ transcriptionModels: [model] }).toSession(spoken, true)["audio"];
  expect(transcriptionBy("gpt-transcribe")).toMatchObject({
    input: { transcription: { model: "gpt-transcribe", languages: ["de", "en"], keywords: ["Contoso"] } },
  });
  expect(transcriptionBy("my-whisper")).toMatchObject({
    input: { transcription: { model: "my-whisper" } },
  });
  const german = dialectOf({ transcriptionModels: ["my-whisper"] }).toSession({ ...settings, language: "de-DE" }, true);
  expect(german["audio"]).toMatchObject({ input: { transcription: { model: "my-whisper", language: "de" } } });
});

it("[RT-3] knows how much silence a position includes where turns end after a silence, and not where they end by meaning", () => {
  const { turnTimes } = dialectOf({});
  const silence = { type: "server_vad", silence_duration_ms: 700 };
  expect(turnTimes(silence, undefined)).toEqual({ prefixMs: 300, silenceMs: 700 });
  expect(turnTimes(silence, { ...silence, prefix_padding_ms: 250, silence_duration_ms: 600 })).toEqual({
    prefixMs: 250,
    silenceMs: 600,
  });
  expect(turnTimes({ type: "semantic_vad", eagerness: "auto" }, undefined).silenceMs).toBeUndefined();
});

it("[SPEECH-26] has the noise of a telephone, of a room, or none taken away", () => {
  const reductionOf = (more: Partial<RealtimeSettings>) =>
    dialectOf({}).toSession({ ...settings, ...more }, true)["audio"];
  expect(reductionOf({})).toMatchObject({ input: { noise_reduction: { type: "near_field" } } });
  expect(reductionOf({ hearsRoom: true })).toMatchObject({ input: { noise_reduction: { type: "far_field" } } });
  expect(reductionOf({ noiseSuppression: false })).toMatchObject({ input: { noise_reduction: null } });
});

it("[RT-1] leaves tools out of requests once a server has answered one without them", () => {
  const dialect = dialectOf({});
  const usual = dialect.toResponse({ toolChoice: "none" }, settings);
  expect(usual).toEqual({ response: { tool_choice: "none" } });
  const other = dialect.respondOtherwise(usual, settings);
  expect(other?.create).toEqual({ response: {} });
  expect(dialect.toResponse({ toolChoice: "none" }, settings)).toEqual(usual);
  other?.learn();
  expect(dialect.toResponse({ toolChoice: "none" }, settings)).toEqual({ response: {} });
});
