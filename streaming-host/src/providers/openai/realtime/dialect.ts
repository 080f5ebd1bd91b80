/** The dialect of OpenAI's generally available realtime protocol. */
import { isPlainObject } from "@voice/shared/platform/plain-object";
import type { RealtimeDialect } from "@voice/provider-kit/realtime-protocol/dialect";
import type { WireObject } from "@voice/provider-kit/realtime-protocol/wire-object";
import { parseServerEvent } from "@voice/provider-kit/realtime-protocol/server-events";
import type { EventNames } from "@voice/provider-kit/realtime-protocol/server-events";
import type { RealtimeSettings, ResponseRequest } from "@voice/provider-kit/ports/realtime-model";
import { readOut } from "@voice/provider-kit/realtime-protocol/read-out";
import { LearntSettings } from "@voice/provider-kit/realtime-protocol/session-settings";
import { readPadding } from "@voice/provider-kit/realtime-protocol/turn-times";
import { otherPart } from "../../other-parts.ts";
import { toSession } from "./session-config.ts";
import type { SessionContext } from "./session-config.ts";

/** `response.output_audio.delta` was `response.audio.delta` in the beta. Other events repeat what an item's `added` event contains. */
const names: EventNames = {
  betaName: (name) =>
    laterNames.get(name) ?? name.replace(/^response\.output_(audio|audio_transcript|text)\./, "response.$1."),
};

/** Progress events whose content other events also report. */
const laterNames: ReadonlyMap<string, string> = new Map(
  [
    "conversation.created",
    "conversation.item.added",
    "conversation.item.done",
    "conversation.item.input_audio_transcription.segment",
    "input_audio_buffer.timeout_triggered",
    "rate_limits.updated",
  ].map((name) => [name, "conversation.item.created"]),
);

const parts: RealtimeDialect["parts"] = {
  voice: "audio.output.voice",
  transcription: "audio.input.transcription",
  turnDetection: "audio.input.turn_detection",
};

export interface OpenAiDialectOptions extends Pick<SessionContext, "model" | "hearsMeaning"> {
  /** In the order of preference. */
  readonly transcriptionModels: readonly string[];
  readonly serves: RealtimeDialect["serves"];
}

/** The server's default if it is sent none (OpenAI realtime reference, `turn_detection`). Semantic detection has no such setting. */
const ownPadding = (type: unknown): number | undefined => (type === "server_vad" ? 300 : undefined);

export function createOpenAiDialect(options: OpenAiDialectOptions): RealtimeDialect {
  const { model, hearsMeaning, transcriptionModels, serves } = options;
  const [transcriptionModel = ""] = transcriptionModels;
  /** Some servers accept no tools in a response, and no tool choice. */
  let takesTools = true;
  return {
    parse: (text) => parseServerEvent(text, names),
    toSession: (settings, isFirst) => toSession(settings, { model, transcriptionModel, hearsMeaning, isFirst }),
    learnt: new LearntSettings({
      essential: [
        "type",
        "model",
        "output_modalities",
        "instructions",
        "audio.input.format",
        "audio.output.format",
        "tools",
      ],
      instead: otherPart(parts, transcriptionModels),
    }),
    parts,
    turnTimes: (requested, inForce) => readPadding({ ...requested, ...inForce }, ownPadding),
    serves,
    hearsItself: () => true,
    toResponse: (options, settings) => {
      const request = toResponse(options, settings);
      return takesTools ? request : (withoutTools(request) ?? request);
    },
    respondOtherwise: (refused) => {
      const create = withoutTools(refused);
      return create && { create, learn: () => void (takesTools = false) };
    },
    assistantContent: "output_text",
  };
}

/** For reading texts out: outside of the conversation, so that no text stays in it and is charged for again. */
export function createReadingDialect(model: string): RealtimeDialect {
  return {
    // A session that reads texts out has no caller.
    ...createOpenAiDialect({ model, hearsMeaning: false, transcriptionModels: ["gpt-transcribe"], serves: () => true }),
    toResponse: ({ say = "" }) => ({
      response: { conversation: "none", input: [], instructions: readOut(say), tools: [], tool_choice: "none" },
    }),
  };
}

/** A response's instructions replace the session's. The protocol has no field for fixed text, so the model is asked to read it out. */
function toResponse({ instructions, say, toolChoice }: ResponseRequest, settings: RealtimeSettings): WireObject {
  if (say !== undefined) return { response: { instructions: readOut(say), tools: [], tool_choice: "none" } };
  const response = {
    ...(instructions !== undefined && { instructions: `${settings.instructions}\n\n${instructions}` }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
  };
  return Object.keys(response).length === 0 ? {} : { response };
}

/** Undefined if the request names none. */
function withoutTools({ response }: WireObject): WireObject | undefined {
  if (!isPlainObject(response) || !("tools" in response || "tool_choice" in response)) return undefined;
  const { tools: _none, tool_choice: _no, ...rest } = response;
  return { response: rest };
}
