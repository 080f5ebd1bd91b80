/**
 * A conversation on the hook protocol: mu-law at 8 kHz both ways, `barge_in` for the peer's queue, digits, pauses, and
 * output variables for the flow that goes on with the call.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallEffect } from "@voice/shared/tools/tool";
import { mulawSilence } from "../../audio/mulaw.ts";
import type { CloseReason } from "../close-reasons.ts";
import { createChunker } from "../../audio/chunker.ts";
import { createWireAudio } from "../../audio/wire-audio.ts";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import type { DuringCall, HookLink, LastWords } from "./hook-link.ts";
import { hookRateHz } from "./offered-media.ts";
import type { ChosenMedia } from "./offered-media.ts";
import { transcriptEntity } from "./transcript-event.ts";

/**
 * HOOK-10: 200 ms. The platform limits how many messages it takes (about 10 a second are known to be safe) and sends its
 * own audio in pieces of this size.
 */
const chunkMs = 200;

/** Two chunks: one plays while the next is on its way. What is further ahead would only have to be thrown away. */
const telephonyLeadMs = 2 * chunkMs;

const bytesPerMs = hookRateHz / 1000;

export interface TelephonyTransport extends Transport {
  /** For the flow; what was said first is kept. */
  endsBecause(reason: string): void;
}

export interface TelephonyTransportOptions {
  readonly link: HookLink;
  readonly media: ChosenMedia;
  readonly clock: Clock;
  readonly sampleRateHz: number;
  readonly logger: Logger;
}

export function createTelephonyTransport(options: TelephonyTransportOptions): TelephonyTransport {
  const { link, clock, sampleRateHz } = options;
  const { channels, callerChannel } = options.media;
  const wire = createWireAudio(
    { sampleRateHz: hookRateHz, channels, audioFormat: "mulaw", heardChannel: callerChannel },
    sampleRateHz,
  );
  const chunker = createChunker(chunkMs * bytesPerMs * channels, mulawSilence);
  let events: TransportEvents | undefined;
  let sessionId = "";
  let outcome: Readonly<Record<string, string>> = {};
  let isPaused = false;
  /** When the platform will have played everything it was sent. */
  let playsUntilMs = 0;
  /** Of the platform's time: what it did not send. */
  let unheardMs = 0;
  let quietUntilMs = 0;

  function sendChunk(bytes: Uint8Array): void {
    playsUntilMs = Math.max(clock.now(), playsUntilMs) + bytes.length / (bytesPerMs * channels);
    link.sendAudio(bytes);
  }

  function receive(message: DuringCall, to: TransportEvents): void {
    switch (message.type) {
      case "dtmf":
        to.onDigits(message.parameters.digit);
        return;
      case "paused":
        isPaused = true;
        to.onControl("pause");
        return;
      case "resumed":
        isPaused = false;
        unheardMs += message.parameters.discarded;
        to.onControl("resume");
        return;
      case "discarded":
        unheardMs += message.parameters.discarded;
        return;
      case "update":
        link.send("updated", {});
        return;
      case "error":
        options.logger.warn({ platformCode: message.parameters.code }, "the telephony platform reports an error");
        quietUntilMs = clock.now() + (message.parameters.retryAfter ?? 0);
        return;
      case "playback_started":
      case "playback_completed": // our own clock knows, and to 20 ms
    }
  }

  function notify(notice: SessionNotice): void {
    if (notice.type !== "transcript" || notice.payload.speaker !== "user" || !notice.payload.is_final) return;
    if (clock.now() < quietUntilMs) return;
    link.send("event", { entities: [transcriptEntity(notice.payload, callerChannel, unheardMs)] });
  }

  return {
    channel: "telephony",
    sampleRateHz,
    leadMs: telephonyLeadMs,
    setSession(id) {
      sessionId = id;
    },
    start(sessionEvents) {
      events = sessionEvents;
      link.listen({
        onAudio(bytes) {
          if (!isPaused) sessionEvents.onAudio(wire.decode(bytes));
        },
        onMessage: (message) => receive(message, sessionEvents),
        onOver: (reason) => sessionEvents.onClosed(reason),
      });
    },
    sendAudio: (frame) => chunker.push(wire.encode(frame), sendChunk),
    endAudio: () => chunker.flush(sendChunk),
    stopAudio() {
      chunker.reset();
      const now = clock.now();
      if (playsUntilMs <= now) return; // the event would stop what nobody hears
      playsUntilMs = now;
      link.send("event", { entities: [{ type: "barge_in", data: {} }] });
    },
    notify,
    handBack(effect) {
      const asked = handBackVariables(effect);
      if (asked === undefined || events === undefined) return false;
      outcome = asked;
      return true;
    },
    endsBecause(reason) {
      outcome = { end_reason: reason, ...outcome };
    },
    close: (reason) => link.end({ ...lastWords[reason], outputVariables: { session_id: sessionId, ...outcome } }),
  };
}

/** HOOK-13: what a flow can do for the caller when we give the call back to it. */
function handBackVariables(effect: CallEffect): Record<string, string> | undefined {
  if (effect.type === "transfer")
    return { end_reason: "transfer", transfer_target: effect.target, transfer_reason: effect.reason };
  return effect.type === "escalate" ? { end_reason: "escalate", transfer_reason: effect.reason } : undefined;
}

const completed: LastWords = { reason: "completed" };
const failed: LastWords = { reason: "error" };

const lastWords: Readonly<Record<CloseReason, LastWords>> = {
  finished: completed,
  draining: { ...completed, info: "the host is restarting" },
  replaced: { ...completed, info: "replaced by a newer connection" },
  unsupportedData: failed,
  refused: failed,
  tooFrequent: failed,
  tooLarge: failed,
  internal: failed,
  overloaded: failed,
  slowReader: failed,
  handshakeTimeout: failed,
};
