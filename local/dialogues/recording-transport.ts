/** A transport without a peer: records what a caller would have received, in the form in which callers record it. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { encodeMessage } from "@voice/streaming-host/transports/envelope";
import type { SessionNotice, Transport, TransportEvents } from "@voice/streaming-host/transports/transport";
import type { CallRecord } from "../person/reply.ts";

export class RecordingTransport implements Transport {
  readonly channel = "browser";
  readonly sampleRateHz = 16_000;
  readonly leadMs = 200;
  readonly records: CallRecord[] = [];
  lastActivityMs: number;
  readonly #clock: Clock;
  #sessionId = "";
  #events: TransportEvents | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.lastActivityMs = clock.now();
  }

  get events(): TransportEvents {
    if (this.#events === undefined) throw new VoiceError("internal_error", "the conversation has not started");
    return this.#events;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  setSession(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  start(events: TransportEvents): void {
    this.#events = events;
  }

  /** Only the moment when an answer becomes audible is recorded, not each of its frames. */
  sendAudio(frame: Int16Array): void {
    this.lastActivityMs = this.#clock.now();
    if (this.records.at(-1)?.kind !== "audio") this.#keep({ kind: "audio", samples: frame.length });
  }

  stopAudio(): void {
    this.lastActivityMs = this.#clock.now();
  }

  notify(notice: SessionNotice): void {
    if (notice.type === "audio_levels") return;
    this.lastActivityMs = this.#clock.now();
    const text = encodeMessage(notice.type, this.#sessionId, this.#clock.wallNow(), notice.payload);
    const message = parseServerMessage(text);
    if (message === undefined) throw new VoiceError("internal_error", `no such message in the contract: ${text}`);
    this.#keep({ kind: "message", message });
  }

  probe(onAnswered: () => void): void {
    onAnswered();
  }

  close(): void {
    this.lastActivityMs = this.#clock.now();
  }

  #keep(record: DistributiveOmit<CallRecord, "atMs">): void {
    this.records.push({ ...record, atMs: this.#clock.now() });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
