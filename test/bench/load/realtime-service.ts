/**
 * A realtime service that answers at once, in a process of its own: it knows what a caller says by the mark in the frame,
 * and its answer comes four times as fast as it is spoken. The path chooses whose names its events have.
 */
import type { AddressInfo } from "node:net";
import { setInterval } from "node:timers";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { z } from "zod";
import { decodeMulaw, encodeMulaw } from "@voice/provider-kit/audio/mulaw";
import { marks, markSign } from "../instant-providers.ts";
import { markAtLevel } from "../wire-frames.ts";

const deltaMs = 200;
const deltaEveryMs = 50;
/** Answers are sent at so many moments in turn, because those of a real service have nothing to do with one another. */
const moments = 10;
const answerMs = 6000;
const mulawRateHz = 8000;
const toneAt = (hz: number): Int16Array<ArrayBuffer> => new Int16Array((hz * deltaMs) / 1000).fill(1000);

/** What its audio is made of: base64 of PCM16 or of mu-law. */
interface Codec {
  readonly delta: string;
  /** The 20 ms that a message ends with: the first sound after silence comes with the silence before it. */
  lastFrameOf(audio: string): string;
  /** The sample in the middle of a frame of 20 ms. */
  middleOf(audio: string): number;
}

function lastBytesOf(audio: string, bytes: number): string {
  const characters = 4 * Math.ceil(bytes / 3);
  if (audio.length <= characters) return audio;
  return Buffer.from(audio, "base64").subarray(-bytes).toString("base64");
}

function pcmAt(rateHz: number): Codec {
  const middle = rateHz / 50; // two bytes for each sample of 20 ms
  const from = Math.floor(middle / 3);
  return {
    delta: Buffer.from(toneAt(rateHz).buffer).toString("base64"),
    lastFrameOf: (audio) => lastBytesOf(audio, 2 * middle),
    middleOf(audio) {
      const bytes = Buffer.from(audio.slice(4 * from, 4 * from + 8), "base64");
      return bytes.length < 6 ? 0 : bytes.readInt16LE(middle - 3 * from); // of a shorter frame nothing
    },
  };
}

const pcmAt24kHz = pcmAt(24_000);
/** By the output format that a session asks for; its input has the same rate. */
const pcmFormats = new Map([
  ["pcm16", pcmAt24kHz],
  ["pcm16_16000hz", pcmAt(16_000)],
  ["pcm16_8000hz", pcmAt(8000)],
]);
const mulaw: Codec = {
  delta: Buffer.from(encodeMulaw(toneAt(mulawRateHz))).toString("base64"),
  lastFrameOf: (audio) => lastBytesOf(audio, mulawRateHz / 50),
  middleOf: (audio) => decodeMulaw(Buffer.from(audio.slice(104, 108), "base64"))[0] ?? 0, // byte 78 of 160
};

/** Voice Live keeps the names of the beta protocol, OpenAI's own clients want the later ones. */
const voiceLive = {
  audio: "response.audio.delta",
  audioDone: "response.audio.done",
  text: "response.audio_transcript.delta",
  textDone: "response.audio_transcript.done",
};
const openAi = {
  audio: "response.output_audio.delta",
  audioDone: "response.output_audio.done",
  text: "response.output_audio_transcript.delta",
  textDone: "response.output_audio_transcript.done",
};

const appendStart = '{"type":"input_audio_buffer.append","audio":"';
const request = z.object({
  type: z.string(),
  session: z.object({ output_audio_format: z.string().optional() }).optional(),
});

/** The first two samples stand in the first eight characters. */
const encodedMark = (mark: number): string => {
  const samples = Int16Array.from([mark, markSign, 0]);
  return Buffer.from(samples.buffer).toString("base64").slice(0, 5);
};
const said = new Map(
  (["question", "interruption", "nothing", "hearing"] as const).map((what) => [encodedMark(marks[what]), what]),
);

class Caller {
  readonly #socket: WebSocket;
  readonly #names: typeof voiceLive;
  #codec: Codec;
  #count = 0;
  #response: { readonly id: string; readonly itemId: string; leftMs: number } | undefined;

  constructor(socket: WebSocket, names: typeof voiceLive, codec: Codec) {
    this.#socket = socket;
    this.#names = names;
    this.#codec = codec;
    this.#send({ type: "session.created", session: { id: "session", model: "instant" } });
  }

  receive(text: string): void {
    if (text.startsWith(appendStart)) this.#hear(text.slice(appendStart.length, text.indexOf('"', appendStart.length)));
    else {
      const { type, session } = request.parse(JSON.parse(text));
      if (type === "session.update") {
        this.#codec = pcmFormats.get(session?.output_audio_format ?? "") ?? this.#codec;
        this.#send({ type: "session.updated", session: { id: "session" } });
      } else if (type === "response.create") this.#begin();
      else if (type === "response.cancel") this.#finish("cancelled");
    }
  }

  tick(): void {
    const response = this.#response;
    if (response === undefined) return;
    this.#speak();
    response.leftMs -= deltaMs;
    if (response.leftMs > 0) return;
    const about = { response_id: response.id, item_id: response.itemId, output_index: 0, content_index: 0 };
    this.#send({ type: this.#names.audioDone, ...about });
    this.#send({ type: this.#names.textDone, ...about, transcript: "This is what I know." });
    this.#finish("completed");
  }

  #hear(audio: string): void {
    const frame = this.#codec.lastFrameOf(audio);
    const mark = said.get(frame.slice(0, 5)) ?? markAtLevel(this.#codec.middleOf(frame));
    if (mark === "interruption" || mark === "hearing") {
      this.#send({ type: "input_audio_buffer.speech_started", item_id: `said-${++this.#count}`, audio_start_ms: 0 });
      this.#finish("cancelled");
    } else if (mark !== undefined) {
      const item = { item_id: `said-${this.#count}` };
      this.#send({ type: "input_audio_buffer.speech_stopped", ...item, audio_end_ms: 0 });
      this.#send({ type: "input_audio_buffer.committed", ...item, previous_item_id: null });
      // A caller who interrupts without words is given the rest of the answer (BARGE-3), which a bridge cannot do: with words, all
      // servers do the same work.
      this.#send({
        type: "conversation.item.input_audio_transcription.completed",
        ...item,
        content_index: 0,
        transcript: mark === "question" ? "Tell me about my account." : "Stop.",
      });
      if (mark === "question") this.#begin();
    }
  }

  #begin(): void {
    this.#finish("cancelled");
    const id = `response-${++this.#count}`;
    this.#response = { id, itemId: `item-${this.#count}`, leftMs: answerMs };
    this.#send({ type: "response.created", response: { id, status: "in_progress", output: [] } });
    this.#speak();
    this.#send({
      type: this.#names.text,
      response_id: id,
      item_id: this.#response.itemId,
      output_index: 0,
      content_index: 0,
      delta: "This is what I know.",
    });
  }

  #speak(): void {
    if (this.#response === undefined) return;
    const { id, itemId } = this.#response;
    this.#socket.send(
      `{"type":"${this.#names.audio}","event_id":"e","response_id":"${id}","item_id":"${itemId}","output_index":0,"content_index":0,"delta":"${this.#codec.delta}"}`,
    );
  }

  #finish(status: "completed" | "cancelled"): void {
    const response = this.#response;
    if (response === undefined) return;
    this.#response = undefined;
    this.#send({ type: "response.done", response: { id: response.id, status, output: [], usage: null } });
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    this.#socket.send(JSON.stringify({ event_id: "e", ...event }));
  }
}

export async function startRealtimeService(): Promise<number> {
  const callers = Array.from({ length: moments }, () => new Set<Caller>());
  let connected = 0;
  let ticks = 0;
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  server.on("connection", (socket, { url }) => {
    const speaksMulaw = url?.startsWith("/mulaw/") === true;
    const isVoiceLive = speaksMulaw || url?.startsWith("/voice-live/") === true;
    const caller = new Caller(socket, isVoiceLive ? voiceLive : openAi, speaksMulaw ? mulaw : pcmAt24kHz);
    const atSameMoment = callers[connected++ % moments];
    atSameMoment?.add(caller);
    socket.on("message", (data: RawData) => caller.receive(Buffer.isBuffer(data) ? data.toString("latin1") : ""));
    socket.on("close", () => atSameMoment?.delete(caller));
  });
  setInterval(() => {
    for (const caller of callers[ticks++ % moments] ?? []) caller.tick();
  }, deltaEveryMs / moments);
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address() as AddressInfo;
  return address.port;
}
