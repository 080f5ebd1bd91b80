/**
 * Writes a recording to its storage without delaying the call: the queue is bounded, a slow or failing storage is retried, and audio that
 * it does not accept in time becomes silence, so that the rest keeps its position. Nobody ever waits for it.
 */
import { growingDelayMs } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { unlessLate } from "@voice/shared/platform/within-time";
import type { RecordingDocuments, RecordingFormat, RecordingWriter } from "@voice/shared/recordings/recording-store";
import { bytesPerSecond } from "@voice/shared/recordings/wav-header";

/** Audio that is queued in memory: 2 MB at 16 kHz. If the storage is away for longer, later audio is lost. */
const maxWaitingMs = 30_000;
/** Silence is written in pieces of this size. */
const maxPieceBytes = 1 << 20;
const retry = { firstMs: 1000, longestMs: 5000 };
/** A write that takes this long is logged. */
const slowMs = 5000;

export interface WriteBehindOptions {
  readonly create: () => Promise<RecordingWriter>;
  readonly format: RecordingFormat;
  readonly flushIntervalMs: number;
  /** The documents that accompany the audio; undefined if they have not changed since the previous call. */
  readonly documents: () => RecordingDocuments | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for each failure of the storage. */
  readonly onFailure: () => void;
}

export interface WrittenRecording {
  /** `deleted`: the session was forgotten while it was being recorded. */
  readonly outcome: "complete" | "incomplete" | "failed" | "deleted";
  readonly lostMs: number;
}

/** Queued audio, or the length of audio that was lost. */
type Waiting =
  | { readonly kind: "audio"; readonly bytes: Uint8Array }
  | { readonly kind: "silence"; readonly length: number };

export class WriteBehind {
  readonly #options: WriteBehindOptions;
  readonly #maxWaitingBytes: number;
  readonly #waiting: Waiting[] = [];
  /** The piece being written; retained until it is stored. */
  #inHand: { readonly bytes: Uint8Array; readonly audioBytes: number } | undefined;
  /** Queued audio, including the piece being written. */
  #waitingBytes = 0;
  #lostBytes = 0;
  #writer: RecordingWriter | undefined;
  #writing: Promise<void> | undefined;
  #dueMs: number;
  #failures = 0;
  #documents: RecordingDocuments | undefined;
  #deleted = false;
  #givenUp = false;

  constructor(options: WriteBehindOptions) {
    this.#options = options;
    this.#maxWaitingBytes = (maxWaitingMs / 1000) * bytesPerSecond(options.format);
    this.#dueMs = options.clock.now();
  }

  /** The session was forgotten, so there is nothing to record for. */
  get isDeleted(): boolean {
    return this.#deleted;
  }

  /** Takes ownership of the bytes. */
  push(bytes: Uint8Array): void {
    if (this.#deleted || bytes.length === 0) return;
    if (this.#waitingBytes + bytes.length <= this.#maxWaitingBytes) {
      this.#waiting.push({ kind: "audio", bytes });
      this.#waitingBytes += bytes.length;
      return;
    }
    this.#lostBytes += bytes.length;
    const last = this.#waiting.at(-1);
    const length = bytes.length + (last?.kind === "silence" ? last.length : 0);
    if (last?.kind === "silence") this.#waiting.pop();
    this.#waiting.push({ kind: "silence", length });
  }

  /** Called every second: writes when due, unless a write is still under way. */
  tick(): void {
    if (this.#writing !== undefined || this.#deleted || this.#options.clock.now() < this.#dueMs) return;
    this.#start();
  }

  /** Writes what is queued, for at most `withinMs`; what remains then is lost. */
  async finish(withinMs: number): Promise<WrittenRecording> {
    const { clock, format } = this.#options;
    await unlessLate(clock, withinMs, this.#writeAll());
    this.#givenUp = true;
    void this.#letGo();
    if (this.#deleted) return { outcome: "deleted", lostMs: 0 };
    const lostMs = Math.round(((this.#lostBytes + this.#waitingBytes) * 1000) / bytesPerSecond(format));
    if (this.#writer === undefined) return { outcome: "failed", lostMs };
    const isWhole = lostMs === 0 && this.#failures === 0 && this.#writing === undefined;
    return { outcome: isWhole ? "complete" : "incomplete", lostMs };
  }

  async #writeAll(): Promise<void> {
    await this.#writing; // a write that started before the last words does not contain them
    while (!this.#deleted && !this.#givenUp) {
      this.#start();
      await this.#writing;
      if (this.#failures === 0) return;
      await new Promise<void>((resolve) => {
        this.#options.clock.setTimer(retry.firstMs, resolve);
      });
    }
  }

  #start(): void {
    const { clock, logger } = this.#options;
    const cancelWatch = clock.setTimer(slowMs, () => logger.warn({}, "the storage of recordings is slow"));
    this.#writing = this.#tryToWrite().finally(() => {
      cancelWatch();
      this.#writing = undefined;
    });
  }

  /** Never rejects. */
  async #tryToWrite(): Promise<void> {
    const { clock, flushIntervalMs, logger } = this.#options;
    try {
      await this.#write();
      if (this.#failures > 0) logger.info({ failures: this.#failures }, "the storage of recordings works again");
      this.#failures = 0;
      this.#dueMs = clock.now() + flushIntervalMs;
    } catch (error) {
      this.#onFailed(error);
    }
  }

  #onFailed(error: unknown): void {
    const { clock, logger, onFailure } = this.#options;
    const { code } = toVoiceError(error);
    if (code === "not_found") {
      this.#deleted = true;
      this.#waiting.length = 0;
      this.#waitingBytes = 0;
      logger.info({}, "a recording was deleted while it was made; it ends here");
      return;
    }
    // Logged once per outage: an unreachable storage fails in the same way every few seconds.
    if (this.#failures === 0) logger.warn({ error, code }, "the storage of recordings failed; what is heard waits");
    this.#dueMs = clock.now() + growingDelayMs(this.#failures, retry);
    this.#failures += 1;
    onFailure();
  }

  async #write(): Promise<void> {
    const writer = (this.#writer ??= await this.#options.create());
    for (let piece = this.#takePiece(); piece !== undefined; piece = this.#takePiece()) {
      await writer.append(piece.bytes);
      this.#waitingBytes -= piece.audioBytes;
      this.#inHand = undefined;
    }
    this.#documents = this.#options.documents() ?? this.#documents;
    if (this.#documents === undefined) return;
    await writer.describe(this.#documents);
    this.#documents = undefined;
  }

  /** The front of the queue, as one piece. */
  #takePiece(): { readonly bytes: Uint8Array; readonly audioBytes: number } | undefined {
    if (this.#inHand !== undefined || this.#waiting.length === 0) return this.#inHand;
    const chunks: Uint8Array[] = [];
    let length = 0;
    let audioBytes = 0;
    for (let next = this.#waiting[0]; next !== undefined && length < maxPieceBytes; next = this.#waiting[0]) {
      this.#waiting.shift();
      if (next.kind === "audio") {
        chunks.push(next.bytes);
        length += next.bytes.length;
        audioBytes += next.bytes.length;
        continue;
      }
      const part = Math.min(next.length, maxPieceBytes - length);
      chunks.push(new Uint8Array(part));
      length += part;
      if (part < next.length) this.#waiting.unshift({ kind: "silence", length: next.length - part });
    }
    this.#inHand = { bytes: Buffer.concat(chunks, length), audioBytes };
    return this.#inHand;
  }

  async #letGo(): Promise<void> {
    await this.#writing;
    try {
      await this.#writer?.close();
    } catch (error) {
      this.#options.logger.warn({ error }, "a recording could not be closed");
    }
  }
}
