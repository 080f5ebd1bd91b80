/**
 * `/browser/conversation` (spec 4.10): binary PCM16 or `audio_data` in, `audio` out as base64 or, after
 * `config.audio_output: "binary"`, as binary frames. Handoffs and tool calls travel inside `event`, as the spec's table
 * for browsers has it.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { bytesFromSamples, samplesFromBase64, samplesFromBytes } from "../../audio/pcm16.ts";
import { closeReasons } from "../close-reasons.ts";
import type { CloseReason } from "../close-reasons.ts";
import { encodeAudioMessage, encodeMessage } from "../envelope.ts";
import { createRateLimit, maxUnsentBytes } from "../message-limits.ts";
import { parseClientMessage } from "../parse-client-message.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";

/** Browsers play through a jitter buffer of their own and share the line with everything else on the page. */
const browserLeadMs = 300;

/** What may arrive before the session is open: 3 s of audio in 20 ms messages. */
const maxEarlyMessages = 150;

export interface BrowserTransportOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly sampleRateHz: number;
}

export function createBrowserTransport({ socket, clock, sampleRateHz }: BrowserTransportOptions): Transport {
  const isWithinRate = createRateLimit(() => clock.now());
  const early: { data: Uint8Array; isBinary: boolean }[] = [];
  let sessionId = "";
  let events: TransportEvents | undefined;
  let audioOutput: "base64" | "binary" = "base64";
  let closed = false;

  function close(reason: CloseReason): void {
    if (closed) return;
    closed = true;
    socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  function notify(notice: SessionNotice): void {
    if (closed) return;
    const { type, payload } = toBrowserNotice(notice);
    socket.send(encodeMessage(type, sessionId, clock.wallNow(), payload));
    if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
  }

  function receive(data: Uint8Array, isBinary: boolean): void {
    if (closed) return;
    if (!isWithinRate()) {
      notify({ type: "error", payload: { code: "rate_limited", message: "Too many messages a second." } });
      close("tooFrequent");
      return;
    }
    if (events === undefined) {
      // The socket's buffer is reused after this call, so an early message is copied.
      if (early.length < maxEarlyMessages) early.push({ data: Uint8Array.from(data), isBinary });
      return;
    }
    if (isBinary) takeAudio(samplesFromBytes(data), data.length % 2 === 0, events);
    else takeMessage(new TextDecoder().decode(data), events);
  }

  function takeAudio(samples: Int16Array, isWhole: boolean, target: TransportEvents): void {
    if (isWhole) target.onAudio(samples);
    else refuse("Audio must be 16-bit samples: an even number of bytes.");
  }

  function takeMessage(text: string, target: TransportEvents): void {
    const parsed = parseClientMessage(text);
    if (parsed.ok) deliver(parsed.input, target);
    else refuse(parsed.problem);
  }

  function refuse(message: string): void {
    notify({ type: "error", payload: { code: "validation_error", message } });
  }

  function deliver(input: BrowserInput, target: TransportEvents): void {
    switch (input.type) {
      case "audio_data":
        takeAudio(samplesFromBase64(input.data), Buffer.byteLength(input.data, "base64") % 2 === 0, target);
        return;
      case "control":
        target.onControl(input.action);
        return;
      case "config":
        audioOutput = input.audio_output ?? audioOutput;
        target.onConfig(input);
        return;
      case "text":
        target.onText(input.text);
        return;
      case "dtmf":
        target.onDigits(input.digits);
        return;
      case "stop_audio":
        target.onCallerFinished();
    }
  }

  socket.onMessage = receive;
  socket.onClose = (reason) => {
    closed = true;
    events?.onClosed(reason);
  };

  return {
    channel: "browser",
    sampleRateHz,
    leadMs: browserLeadMs,
    setSession(id) {
      sessionId = id;
    },
    start(target) {
      events = target;
      for (const message of early.splice(0)) receive(message.data, message.isBinary);
    },
    sendAudio(frame) {
      if (closed) return;
      if (audioOutput === "binary") socket.send(bytesFromSamples(frame));
      else socket.send(encodeAudioMessage(sessionId, clock.wallNow(), frame, sampleRateHz));
      if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
    },
    // The browser drops its queue on the `barge_in` event; a pause that may be resumed is told in the same way.
    stopAudio() {
      notify({ type: "event", payload: { name: "barge_in", reason: "speech" } });
    },
    notify,
    close,
  };
}

function toBrowserNotice(notice: SessionNotice): SessionNotice {
  if (notice.type === "handoff") return { type: "event", payload: { ...notice.payload, name: "handoff" } };
  if (notice.type !== "tool_call") return notice;
  return { type: "event", payload: { ...notice.payload, name: "tool_call", tool: notice.payload.name } };
}
