/**
 * `/media/stream` (spec 4.9). The communication service gets its own frames and nothing else; any other client gets the
 * same audio frames with a `type` added, and the typed messages beside them.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { mulawSilence } from "../../audio/mulaw.ts";
import { isSampleRate } from "../../audio/resample.ts";
import { deliverClientText } from "../deliver-client-message.ts";
import type { ClientMessageTarget } from "../deliver-client-message.ts";
import { encodeMessage } from "../envelope.ts";
import { guardSocket } from "../guarded-socket.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import { createChunker } from "../../audio/chunker.ts";
import { encodeAudioFrame, parseMediaFrame, stopAudioFrame } from "./media-frame.ts";
import type { MediaFrame } from "./media-frame.ts";
import { createWireAudio } from "../../audio/wire-audio.ts";
import type { WireFormat } from "../../audio/wire-audio.ts";

/** The service buffers for itself; this covers our timer and the network between two data centres. */
const mediaLeadMs = 100;
const frameMs = 20;

export interface MediaTransportOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  /** The communication service, or a client that also wants our typed messages. */
  readonly peer: "service" | "client";
  readonly channel: "phone" | "media";
  readonly sampleRateHz: number;
  readonly format: WireFormat;
  /** False: the client asked for no transcripts (`enable_transcription`). */
  readonly sendsTranscripts?: boolean | undefined;
  /** Bytes of audio in one outgoing frame; absent: 20 ms. */
  readonly chunkBytes?: number | undefined;
}

export function createMediaTransport(options: MediaTransportOptions): Transport {
  const { socket, clock, sampleRateHz } = options;
  const isTyped = options.peer === "client";
  const chunker =
    options.chunkBytes === undefined
      ? undefined
      : createChunker(options.chunkBytes, options.format.audioFormat === "mulaw" ? mulawSilence : 0);
  let wire = createWireAudio(options.format, sampleRateHz);
  let sessionId = "";
  let events: TransportEvents | undefined;
  let target: ClientMessageTarget | undefined;

  const guarded = guardSocket(socket, clock, {
    onMessage(data, isBinary) {
      if (events === undefined) return;
      if (isBinary) events.onAudio(wire.decode(data));
      else receiveText(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8"), events);
    },
    onTooFrequent: () => refuse("rate_limited", "Too many messages a second."),
    onClosed: (reason) => events?.onClosed(reason),
  });

  function receiveText(text: string, to: TransportEvents): void {
    const frame = parseMediaFrame(text);
    if (frame !== undefined) receiveFrame(frame, to);
    else if (isTyped && target !== undefined) deliverClientText(text, target);
    // The service may learn to say more than we know; that is no reason to end a call.
  }

  function receiveFrame(frame: MediaFrame, to: TransportEvents): void {
    switch (frame.kind) {
      case "audio":
        // A silent frame may carry no samples; the endpointing needs its 20 ms all the same.
        if (frame.data === "") to.onAudio(new Int16Array((sampleRateHz * frameMs) / 1000));
        else if (frame.silent) to.onAudio(wire.decode(Buffer.from(frame.data, "base64")).fill(0));
        else receiveBase64(frame.data, to);
        return;
      case "metadata":
        takeMetadata(frame.sampleRateHz, frame.channels);
        return;
      case "dtmf":
        to.onDigits(frame.digits);
        return;
      case "stop-audio":
        to.onCallerFinished();
        return;
      case "transcription":
        to.onTranscript?.(frame);
        return;
      case "other":
    }
  }

  function receiveBase64(data: string, to: TransportEvents): void {
    const bytes = Buffer.from(data, "base64");
    // Decoding skips what is not base64, so that too few bytes came out of it.
    if (isTyped && bytes.length < Math.floor((data.length * 3) / 4) - 2)
      refuse("validation_error", "Audio must be base64.");
    else to.onAudio(wire.decode(bytes));
  }

  /** What the peer really sends wins over what was configured. */
  function takeMetadata(announcedHz: number, channels: number): void {
    if (isSampleRate(announcedHz) && (channels === 1 || channels === 2))
      wire = createWireAudio({ ...options.format, sampleRateHz: announcedHz, channels }, sampleRateHz);
    else refuse("audio_format_unsupported", "Audio must come at 8, 16, 24 or 48 kHz with one or two channels.");
  }

  function notify(notice: SessionNotice): void {
    if (!isTyped) return;
    if (notice.type === "transcript" && options.sendsTranscripts === false) return;
    const type = notice.type === "response" ? "agent_response" : notice.type;
    guarded.notify(notice.type, encodeMessage(type, sessionId, clock.wallNow(), notice.payload));
  }

  function refuse(code: string, message: string): void {
    notify({ type: "error", payload: { code, message } });
  }

  function sendBytes(bytes: Uint8Array): void {
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
    guarded.send(encodeAudioFrame(base64, isTyped));
  }

  return {
    channel: options.channel,
    sampleRateHz,
    leadMs: mediaLeadMs,
    setSession(id) {
      sessionId = id;
    },
    start(sessionEvents) {
      events = sessionEvents;
      target = {
        events: sessionEvents,
        onAudioData: (base64) => receiveBase64(base64, sessionEvents),
        onConfig: () => undefined,
        refuse: (problem) => refuse("validation_error", problem),
      };
      guarded.start();
    },
    sendAudio(frame) {
      if (chunker === undefined) sendBytes(wire.encode(frame));
      else chunker.push(wire.encode(frame), sendBytes);
    },
    endAudio: () => chunker?.flush(sendBytes),
    stopAudio() {
      chunker?.reset();
      guarded.send(stopAudioFrame);
    },
    notify,
    close: (reason) => guarded.close(reason),
  };
}
