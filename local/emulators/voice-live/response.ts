/**
 * One response of the emulated model, synthesised and sent event by event until it is complete or cancelled (`@azure/ai-voicelive` 1.1,
 * `ServerEventResponse…`; its states are `ResponseStatus`).
 */
import type { Synthesiser, Voice } from "@voice/provider-kit/ports/synthesiser";
import type { AnsweredToolCall } from "../openai/answer.ts";
import { createProtocolId } from "../speech/framing.ts";
import { toolCallMessage } from "./conversation-log.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { LiveSocket } from "./live-socket.ts";

export type Spoken = {
  readonly text: string;
  readonly toolCalls: readonly AnsweredToolCall[];
  /** Why the answer was cut off, if it was. */
  readonly cut?: "length" | "content_filter" | undefined;
};

/** The service's reasons for an incomplete response. */
const incompleteReasons = { length: "max_output_tokens", content_filter: "content_filter" } as const;

export type ResponseContext = {
  readonly socket: LiveSocket;
  readonly synthesiser: Synthesiser;
  readonly log: ConversationLog;
  readonly voice: Voice;
  readonly language: string;
  readonly sampleRateHz: number;
};

export class LiveResponse {
  readonly id = `resp_${createProtocolId()}`;
  readonly #context: ResponseContext;
  readonly #abort = new AbortController();
  /** The items as they are in the end, in their order. */
  readonly #output: object[] = [];
  #cancelReason: "turn_detected" | "client_cancelled" | undefined;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  cancel(reason: "turn_detected" | "client_cancelled"): void {
    this.#cancelReason ??= reason;
    this.#abort.abort(new DOMException(reason, "AbortError"));
  }

  /** `decide` is called after the response was announced, because a real model also starts only then. */
  async run(decide: (signal: AbortSignal) => Promise<Spoken>): Promise<void> {
    const { socket } = this.#context;
    socket.sendEvent("response.created", {
      response: { id: this.id, object: "realtime.response", status: "in_progress", output: [] },
    });
    let status = "completed";
    let details: object | undefined;
    try {
      const { text, toolCalls, cut } = await decide(this.signal);
      if (text !== "") await this.#speak(text);
      for (const call of toolCalls) this.#call(call);
      if (cut !== undefined) {
        status = "incomplete";
        details = { type: "incomplete", reason: incompleteReasons[cut] };
      }
    } catch (error) {
      if (!this.signal.aborted) status = "failed";
      else if (this.#cancelReason === undefined) throw error;
    }
    if (this.#cancelReason !== undefined) {
      status = "cancelled";
      details = { type: "cancelled", reason: this.#cancelReason };
    }
    if (socket.reach("end")) return;
    socket.sendEvent("response.done", {
      response: {
        id: this.id,
        object: "realtime.response",
        status,
        ...(details !== undefined && { status_details: details }),
        output: this.#output,
        // Both detail objects are always sent, because the official client rejects the event without them.
        usage: {
          total_tokens: 2,
          input_tokens: 1,
          output_tokens: 1,
          input_token_details: {
            cached_tokens: 0,
            text_tokens: 1,
            audio_tokens: 0,
            cached_tokens_details: { text_tokens: 0, audio_tokens: 0 },
          },
          output_token_details: { text_tokens: 1, audio_tokens: 0 },
        },
      },
    });
  }

  async #speak(text: string): Promise<void> {
    const { socket, synthesiser, log, voice, language, sampleRateHz } = this.#context;
    const itemId = `item_${createProtocolId()}`;
    log.takePlace(itemId);
    const at = { response_id: this.id, item_id: itemId, output_index: 0, content_index: 0 };
    const item = {
      id: itemId,
      object: "realtime.item",
      type: "message",
      role: "assistant",
      status: "in_progress",
      content: [],
    };
    socket.sendEvent("response.output_item.added", { response_id: this.id, output_index: 0, item });
    socket.sendEvent("response.content_part.added", { ...at, part: { type: "audio", transcript: "" } });
    const words: { text: string; endMs: number }[] = [];
    try {
      await synthesiser.synthesise(
        { text, voice, language, sampleRateHz },
        {
          onAudio: (samples) => {
            if (this.signal.aborted) return;
            const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
            socket.sendEvent("response.audio.delta", { ...at, delta: bytes.toString("base64") });
            socket.reach("middle");
          },
          onWord: ({ textOffset, textLength, startMs, endMs }) => {
            if (this.signal.aborted) return;
            const word = text.slice(textOffset, textOffset + textLength);
            words.push({ text: word, endMs });
            socket.sendEvent("response.audio_transcript.delta", {
              ...at,
              delta: words.length === 1 ? word : ` ${word}`,
            });
            socket.sendEvent("response.audio_timestamp.delta", {
              ...at,
              audio_offset_ms: Math.round(startMs),
              audio_duration_ms: Math.round(endMs - startMs),
              text: word,
              timestamp_type: "word",
            });
          },
        },
        this.signal,
      );
    } finally {
      const heard = words.map((word) => word.text).join(" ");
      log.add(itemId, { role: "assistant", content: heard }, words);
      const status = this.signal.aborted ? "incomplete" : "completed";
      this.#output.push({ ...item, status, content: [{ type: "audio", transcript: heard }] });
    }
    socket.sendEvent("response.audio.done", at);
    socket.sendEvent("response.audio_transcript.done", { ...at, transcript: text });
    socket.sendEvent("response.content_part.done", { ...at, part: { type: "audio", transcript: text } });
    const done = this.#output.at(-1);
    socket.sendEvent("response.output_item.done", { response_id: this.id, output_index: 0, item: done });
  }

  #call({ name, argumentsJson, id }: AnsweredToolCall): void {
    const { socket, log } = this.#context;
    const itemId = `item_${createProtocolId()}`;
    const callId = id ?? `call_${createProtocolId()}`;
    const at = { response_id: this.id, item_id: itemId, output_index: 1, call_id: callId };
    log.takePlace(itemId);
    const item = { id: itemId, object: "realtime.item", type: "function_call", name, call_id: callId, arguments: "" };
    const done = { ...item, status: "completed", arguments: argumentsJson };
    socket.sendEvent("response.output_item.added", { response_id: this.id, output_index: 1, item });
    socket.sendEvent("response.function_call_arguments.delta", { ...at, delta: argumentsJson });
    socket.sendEvent("response.function_call_arguments.done", { ...at, name, arguments: argumentsJson });
    socket.sendEvent("response.output_item.done", { response_id: this.id, output_index: 1, item: done });
    this.#output.push(done);
    log.add(itemId, toolCallMessage(callId, name, argumentsJson));
  }
}
