/**
 * A conversation on the hook protocol: mu-law at 8 kHz in both directions, `barge_in` to clear the peer's queue,
 * digits, pauses, and output variables for the flow that continues with the call.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { CallEffect } from "@voice/shared/tools/tool";
import { mulawSilence } from "@voice/provider-kit/audio/mulaw";
import type { CloseReason } from "../close-reasons.ts";
import { createChunker } from "@voice/provider-kit/audio/chunker";
import type { Chunker } from "@voice/provider-kit/audio/chunker";
import { createWireAudio } from "@voice/provider-kit/audio/wire-audio";
import type { WireAudio } from "@voice/provider-kit/audio/wire-audio";
import type { SessionNotice, Transport, TransportEvents } from "../transport.ts";
import type { DuringCall, HookLink, LastWords } from "./hook-link.ts";
import { hookRateHz } from "./offered-media.ts";
import type { ChosenMedia } from "./offered-media.ts";
import { HookEvents, defaultHookEvents } from "./hook-events.ts";
import type { HookEventName } from "./hook-events.ts";
import { chooseLanguage } from "@voice/shared/languages/choose-language";
import { PlatformTime } from "./platform-time.ts";

/**
 * HOOK-10: 200 ms. The platform limits the rate of messages (about 10 a second are known to be safe) and sends its own
 * audio in chunks of this length.
 */
const chunkMs = 200;

/** The duration of a playout frame. */
const playoutFrameMs = 20;

/**
 * Two chunks: one plays while the next is in transit. Audio sent further ahead would only have to be discarded on an interruption. The
 * playout also sends the frame with which it reaches its lead, so the lead is one frame less than two chunks.
 */
const telephonyLeadMs = 2 * chunkMs - playoutFrameMs;

const bytesPerMs = hookRateHz / 1000;

export interface TelephonyTransportOptions {
  readonly link: HookLink;
  readonly media: ChosenMedia;
  readonly clock: Clock;
  readonly sampleRateHz: number;
  /** The entities that the platform requested; if absent, the caller's words. */
  readonly events?: readonly HookEventName[] | undefined;
  /** The languages in which a conversation can be held. */
  readonly languages: readonly string[];
  readonly logger: Logger;
}

export class HookTransport implements Transport {
  readonly channel = "telephony";
  readonly leadMs = telephonyLeadMs;
  readonly sampleRateHz: number;
  readonly #options: TelephonyTransportOptions;
  readonly #wire: WireAudio;
  readonly #chunker: Chunker;
  readonly #time = new PlatformTime();
  readonly #events: HookEvents;
  readonly #sendChunk = (bytes: Uint8Array): void => this.#send(bytes);
  #sessionId = "";
  /** The output for the platform's flow when the conversation has ended. */
  #outcome: Readonly<Record<string, string>> = {};
  #hasStarted = false;
  #isPaused = false;
  /** When the platform will have played everything that it was sent. */
  #playsUntilMs = 0;
  /** The time until which the platform accepts no events except barge-ins. */
  #quietUntilMs = 0;

  constructor(options: TelephonyTransportOptions) {
    const { media, sampleRateHz, events = defaultHookEvents } = options;
    const { channels, callerChannel } = media;
    const format = { sampleRateHz: hookRateHz, channels, audioFormat: "mulaw", heardChannel: callerChannel } as const;
    this.#options = options;
    this.#events = new HookEvents(events, callerChannel, this.#time);
    this.sampleRateHz = sampleRateHz;
    this.#wire = createWireAudio(format, sampleRateHz);
    this.#chunker = createChunker(chunkMs * bytesPerMs * channels, mulawSilence);
  }

  setSession(id: string): void {
    this.#sessionId = id;
  }

  start(events: TransportEvents): void {
    this.#hasStarted = true;
    this.#options.link.listen({
      onAudio: (bytes) => {
        const ms = this.#toMs(bytes.length);
        if (this.#isPaused) {
          this.#time.miss(ms);
          return;
        }
        this.#time.hear(ms);
        events.onAudio(this.#wire.decode(bytes));
      },
      onMessage: (message) => this.#receive(message, events),
      onOver: (reason) => events.onClosed(reason),
    });
  }

  sendAudio(frame: Int16Array): void {
    this.#chunker.push(this.#wire.encode(frame), this.#sendChunk);
  }

  endAudio(): void {
    this.#chunker.flush(this.#sendChunk);
  }

  stopAudio(): void {
    this.#chunker.reset();
    const now = this.#options.clock.now();
    if (this.#playsUntilMs <= now) return; // nothing is playing that the event could stop
    this.#playsUntilMs = now;
    this.#options.link.send("event", { entities: [{ type: "barge_in", data: {} }] });
  }

  notify(notice: SessionNotice): void {
    const entities = this.#events.entitiesOf(notice);
    const { link, clock } = this.#options;
    if (entities.length > 0 && clock.now() >= this.#quietUntilMs) link.send("event", { entities });
  }

  probe(onAnswered: () => void): void {
    this.#options.link.probe(onAnswered);
  }

  handBack(effect: CallEffect): boolean {
    const asked = handBackVariables(effect);
    if (asked === undefined || !this.#hasStarted) return false;
    this.#outcome = asked;
    return true;
  }

  /** Why the conversation ended, for the platform's flow. Only the first call counts. */
  setEndReason(reason: string): void {
    this.#outcome = { end_reason: reason, ...this.#outcome };
  }

  close(reason: CloseReason): void {
    const outputVariables = { session_id: this.#sessionId, ...this.#outcome };
    this.#options.link.end({ ...lastWords[reason], outputVariables });
  }

  #send(bytes: Uint8Array): void {
    const { clock, link } = this.#options;
    this.#playsUntilMs = Math.max(clock.now(), this.#playsUntilMs) + this.#toMs(bytes.length);
    link.sendAudio(bytes);
  }

  #toMs(bytes: number): number {
    return bytes / (bytesPerMs * this.#options.media.channels);
  }

  #receive(message: DuringCall, to: TransportEvents): void {
    switch (message.type) {
      case "dtmf":
        to.onDigits(message.parameters.digit);
        return;
      case "paused":
        this.#isPaused = true;
        to.onControl("pause");
        return;
      case "resumed":
        this.#isPaused = false;
        this.#time.miss(message.parameters.discarded);
        to.onControl("resume");
        return;
      case "discarded":
        this.#time.miss(message.parameters.discarded);
        return;
      case "update":
        this.#update(message.parameters.language, to);
        return;
      case "error":
        this.#onPlatformError(message.parameters);
        return;
      case "playback_started":
      case "playback_completed": // our own clock gives the same time to within 20 ms
    }
  }

  #update(asked: string | undefined, to: TransportEvents): void {
    const { link, languages } = this.#options;
    const language = asked === undefined ? undefined : chooseLanguage(asked, languages);
    if (language !== undefined) to.onLanguage(language);
    link.send("updated", {});
  }

  #onPlatformError({ code, retryAfter = 0 }: Extract<DuringCall, { type: "error" }>["parameters"]): void {
    const { clock, logger } = this.#options;
    logger.warn({ platformCode: code }, "the telephony platform reports an error");
    this.#quietUntilMs = Math.max(this.#quietUntilMs, clock.now() + retryAfter);
  }
}

/** HOOK-13: what the flow can do for the caller when the call is handed back to it. */
function handBackVariables(effect: CallEffect): Record<string, string> | undefined {
  if (effect.type === "transfer")
    return { end_reason: "transfer", transfer_target: effect.target, transfer_reason: effect.reason };
  return effect.type === "escalate" ? { end_reason: "escalate", transfer_reason: effect.reason } : undefined;
}

const completed: LastWords = { reason: "completed" };
const failed: LastWords = { reason: "error" };

const lastWords: Readonly<Record<CloseReason, LastWords>> = {
  finished: completed,
  lost: completed,
  failed,
  draining: { ...completed, info: "the host is restarting" },
  replaced: { ...completed, info: "replaced by a newer connection" },
  brokenProtocol: failed,
  invalidText: failed,
  unsupportedData: failed,
  refused: failed,
  tooFrequent: failed,
  tooLarge: failed,
  internal: failed,
  overloaded: failed,
  slowReader: failed,
  foreignOrigin: failed,
  tokenExpired: failed,
  handshakeTimeout: failed,
};
