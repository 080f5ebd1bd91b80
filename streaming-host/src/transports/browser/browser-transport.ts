/**
 * `/browser/conversation` (spec 4.10): binary PCM16 or `audio_data` in, `audio` out as base64 or, after
 * `config.audio_output: "binary"`, as binary frames. Handoffs and tool calls travel inside `event`, as the spec's table
 * for browsers has it.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { bytesFromSamples, samplesFromBase64, samplesFromBytes } from "../../audio/pcm16.ts";
import { deliverClientText } from "../deliver-client-message.ts";
import type { ClientMessageTarget } from "../deliver-client-message.ts";
import { encodeAudioMessage, encodeMessage } from "../envelope.ts";
import { guardSocket } from "../guarded-socket.ts";
import type { Socket } from "../socket.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";

/** Browsers play through a jitter buffer of their own and share the line with everything else on the page. */
const browserLeadMs = 300;

const oddBytes = "Audio must be 16-bit samples: an even number of bytes.";

export interface BrowserTransportOptions {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly sampleRateHz: number;
}

export function createBrowserTransport({ socket, clock, sampleRateHz }: BrowserTransportOptions): Transport {
  let sessionId = "";
  let target: ClientMessageTarget | undefined;
  let events: TransportEvents | undefined;
  let audioOutput: "base64" | "binary" = "base64";

  const guarded = guardSocket(socket, clock, {
    onMessage(data, isBinary) {
      if (target === undefined) return;
      if (!isBinary) deliverClientText(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(), target);
      else if (data.length % 2 === 0) target.events.onAudio(samplesFromBytes(data));
      else target.refuse(oddBytes);
    },
    onTooFrequent: () => notifyError("rate_limited", "Too many messages a second."),
    onClosed: (reason) => events?.onClosed(reason),
  });

  function encode(notice: SessionNotice): string {
    const { type, payload } = toBrowserNotice(notice);
    return encodeMessage(type, sessionId, clock.wallNow(), payload);
  }

  function notify(notice: SessionNotice): void {
    guarded.notify(notice.type, encode(notice));
  }

  function notifyError(code: string, message: string): void {
    notify({ type: "error", payload: { code, message } });
  }

  return {
    channel: "browser",
    sampleRateHz,
    leadMs: browserLeadMs,
    setSession(id) {
      sessionId = id;
    },
    start(sessionEvents) {
      events = sessionEvents;
      target = {
        events: sessionEvents,
        onAudioData(base64) {
          if (Buffer.byteLength(base64, "base64") % 2 === 0) sessionEvents.onAudio(samplesFromBase64(base64));
          else notifyError("validation_error", oddBytes);
        },
        onConfig: ({ audio_output: wanted }) => {
          audioOutput = wanted ?? audioOutput;
        },
        refuse: (problem) => notifyError("validation_error", problem),
      };
      guarded.start();
    },
    sendAudio(frame) {
      if (audioOutput === "binary") guarded.send(bytesFromSamples(frame));
      else guarded.send(encodeAudioMessage(sessionId, clock.wallNow(), frame, sampleRateHz));
    },
    // The browser drops its queue on the `barge_in` event; a pause that may be resumed is told in the same way.
    stopAudio: () => guarded.send(encode({ type: "event", payload: { name: "barge_in", reason: "speech" } })),
    notify,
    close: (reason) => guarded.close(reason),
  };
}

function toBrowserNotice(notice: SessionNotice): SessionNotice {
  if (notice.type === "handoff") return { type: "event", payload: { ...notice.payload, name: "handoff" } };
  if (notice.type !== "tool_call") return notice;
  return { type: "event", payload: { ...notice.payload, name: "tool_call", tool: notice.payload.name } };
}
