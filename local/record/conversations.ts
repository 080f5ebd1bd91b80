/**
 * The conversation that is held with each kind of service: what the product asks of it in a call, once. Only the order of events
 * and their form are of interest, so every wait goes on after a while, whatever came.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { ModelMessage, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { RealtimeEvent, RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import { partsOf } from "@voice/shared/config/parts";
import { pause } from "@voice/shared/platform/pause";
import { silentLogger } from "@voice/shared/platform/logger";
import type { ProviderParts } from "@voice/streaming-host/compose/provider-parts";
import { createOpenAiFromSettings } from "@voice/streaming-host/providers/openai/from-settings";
import { createOpenAiRealtimeFromSettings } from "@voice/streaming-host/providers/openai/realtime/from-settings";
import { createVoiceLiveFromSettings } from "@voice/streaming-host/providers/voice-live/from-settings";
import { sessionSettings } from "../doctor/checks/realtime-model.ts";
import { hear, speak } from "../doctor/speak-and-hear.ts";
import type { RecordingTarget } from "./recording.ts";

export interface ConversationParts extends Omit<ProviderParts, "logger"> {
  /** A caller's question, as the service hears it. */
  speak(text: string, sampleRateHz: number): Promise<Int16Array>;
  readonly signal: AbortSignal;
}

/** Rejects where the settings name no such service, and where it cannot be reached at all. */
export const conversations: Readonly<Record<RecordingTarget, (parts: ConversationParts) => Promise<void>>> = {
  chat: holdChat,
  "voice-live": (parts) => holdRealtime(realtimeOf(parts, "voice-live"), parts),
  "openai-realtime": (parts) => holdRealtime(realtimeOf(parts, "openai"), parts),
  speech: holdSpeech,
};

const tool = {
  name: "opening_hours",
  description: "When the shop is open on a day. Call it before you say anything about opening hours.",
  parameters: {
    type: "object",
    properties: { day: { type: "string" } },
    required: ["day"],
    additionalProperties: false,
  },
};
const instructions = "You answer the phone of a shop, in one short sentence.";
const question = "When are you open on Monday?";
const toolResult = JSON.stringify({ success: true, from: "nine", to: "five" });

async function holdChat({ settings, tokens, clock, signal }: ConversationParts): Promise<void> {
  const { languageModel } = partsOf(settings);
  if (languageModel.kind !== "openai") throw new Error("the settings name no language model");
  const model = createOpenAiFromSettings(languageModel, settings, { tokens, clock, logger: silentLogger });
  const messages: ModelMessage[] = [
    { role: "system", content: instructions },
    { role: "user", content: question },
  ];
  const ask = async (): Promise<void> => {
    const request: ModelRequest = {
      agent: { name: "recorder", templateVars: {} },
      messages,
      tools: [tool],
      settings: { deploymentId: languageModel.deployment ?? "" },
      memory: {},
    };
    for await (const event of model.stream(request, signal)) {
      if (event.type !== "tool-call") continue;
      messages.push({ role: "assistant", content: "", toolCalls: [event.call] });
      messages.push({ role: "tool", toolCallId: event.call.id, name: tool.name, content: toolResult });
    }
  };
  await ask();
  if (messages.length > 2) await ask();
}

function realtimeOf(parts: ConversationParts, kind: "voice-live" | "openai"): RealtimeModel {
  const { settings, tokens, clock } = parts;
  const { realtimeModel } = partsOf(settings);
  if (realtimeModel.kind !== kind) throw new Error(`the settings name no realtime model of ${kind}`);
  const options = { tokens, clock, logger: silentLogger };
  return realtimeModel.kind === "openai"
    ? createOpenAiRealtimeFromSettings(realtimeModel, settings, options)
    : createVoiceLiveFromSettings(realtimeModel, settings, options);
}

const sampleRateHz = 24_000;
const frameMs = 20;
const frameSamples = (sampleRateHz * frameMs) / 1000;
/** Enough for a slow service; what has not come by then is missing in the recording. */
const patienceMs = 15_000;

/** A greeting, a spoken question, a tool, an answer that the caller talks over, and a typed farewell. */
async function holdRealtime(
  model: RealtimeModel,
  { settings, clock, speak, signal }: ConversationParts,
): Promise<void> {
  let notify: (event: RealtimeEvent) => void = () => undefined;
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const session = await model.open(
    { ...sessionSettings(settings, { sampleRateHz }), instructions, tools: [tool] },
    { onEvent: (event) => notify(event), onEnded: (error) => ended.reject(error) },
    signal,
  );
  /** Goes on with the next event of this type, or after a while. */
  const next = async <Type extends RealtimeEvent["type"]>(type: Type) => {
    type Next = Extract<RealtimeEvent, { type: Type }>;
    const isNext = (event: RealtimeEvent): event is Next => event.type === type;
    const found = Promise.withResolvers<Next | undefined>();
    notify = (event) => {
      if (isNext(event)) found.resolve(event);
    };
    const cancel = clock.setTimer(patienceMs, () => found.resolve(undefined));
    try {
      return await Promise.race([found.promise, ended.promise]);
    } finally {
      cancel();
    }
  };
  const say = async (text: string): Promise<void> => {
    const silence = new Int16Array(sampleRateHz);
    const samples = joinSamples([silence.subarray(0, sampleRateHz / 4), await speak(text, sampleRateHz), silence]);
    for (let at = 0; at < samples.length; at += frameSamples) {
      session.appendAudio(samples.subarray(at, at + frameSamples));
      await pause(clock, frameMs);
    }
  };
  try {
    session.respond({ say: "Hello, this is the shop." });
    await next("response-finished");
    const called = next("tool-call");
    await say(question);
    const call = await called;
    if (call !== undefined) {
      session.sendToolResult(call.call.id, toolResult);
      session.respond();
      const first = await next("audio");
      session.cancelResponse();
      if (first !== undefined) session.truncate(first.itemId, 100, "From");
      await next("item-truncated");
    }
    session.sendText("Thank you, goodbye.");
    session.respond();
    await next("response-finished");
  } finally {
    session.close();
  }
}

/** A word is synthesised and recognised again. */
async function holdSpeech({ signal, ...parts }: ConversationParts): Promise<void> {
  const { settings } = parts;
  const { recognition, synthesis } = partsOf(settings);
  if (recognition.kind === "local" || synthesis.kind === "local")
    throw new Error("the settings name no speech service");
  const own = { ...parts, logger: silentLogger };
  const { samples } = await speak(own, { text: question }, signal);
  const patience = new AbortController();
  const cancel = parts.clock.setTimer(patienceMs, () => patience.abort());
  try {
    await hear(own, { samples, text: question }, AbortSignal.any([signal, patience.signal]));
  } catch (error) {
    if (!patience.signal.aborted) throw error;
  } finally {
    cancel();
  }
}
