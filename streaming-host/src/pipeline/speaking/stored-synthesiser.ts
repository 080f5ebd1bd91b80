/**
 * Shares the audio of the catalog's fixed text between hosts: a new host uses what another has synthesised, which is faster and spares an
 * overloaded vendor. Reads have a time limit, so a slow store delays nobody for long. Only text that does not depend on a caller leaves the
 * process.
 */
import { createHash } from "node:crypto";
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import { unlessLate } from "@voice/shared/platform/within-time";
import type { FileStore } from "@voice/shared/state/records/file-store";
import { speechKey, wordsKey } from "./speech-key.ts";
import { SpeechFile } from "./speech-file.ts";

export interface StoredSynthesiserOptions {
  readonly synthesiser: Synthesiser;
  /** The voice and its model, because voices of the same name sound different in other models. */
  readonly provider: string;
  readonly files: FileStore;
  /** Keys (`wordsKey`) of the speech that is stored. */
  readonly kept: ReadonlySet<string>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reading a greeting takes 2 ms. If it takes much longer, synthesising is faster. */
const longestWaitMs = 100;
/** After a vendor changes a voice, the old audio is used for a day at most. */
const lifeSpanMs = 24 * 60 * 60_000;
/** 16 s at 16 kHz; clauses are shorter. */
const maxBytes = 512 * 1024;

export class StoredSynthesiser implements Synthesiser {
  readonly #options: StoredSynthesiserOptions;
  readonly #reading: OutageLog;
  readonly #storing: OutageLog;

  constructor(options: StoredSynthesiserOptions) {
    const { logger } = options;
    this.#options = options;
    this.#reading = createOutageLog(logger, {
      failing: "spoken words could not be read",
      over: "spoken words are read again",
    });
    this.#storing = createOutageLog(logger, {
      failing: "spoken words could not be stored",
      over: "spoken words are stored again",
    });
  }

  async synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    const { synthesiser, kept, provider } = this.#options;
    if (!kept.has(wordsKey(request))) return synthesiser.synthesise(request, events, signal);
    const name = createHash("sha256")
      .update(`${provider} ${speechKey(request)}`)
      .digest("base64url");
    const stored = await this.#find(name);
    signal.throwIfAborted();
    if (stored !== undefined) return stored.tell(events);
    const file = new SpeechFile();
    await synthesiser.synthesise(request, file.copyOf(events), signal);
    void this.#store(name, file);
    return undefined;
  }

  pool(): PoolFigures {
    return this.#options.synthesiser.pool();
  }

  close(): Promise<void> {
    return this.#options.synthesiser.close();
  }

  async #find(name: string): Promise<SpeechFile | undefined> {
    const { files, clock } = this.#options;
    const found = files.get(name).then(
      (bytes) => {
        this.#reading.worked();
        return bytes && SpeechFile.parse(bytes);
      },
      (error: unknown) => {
        this.#reading.failed(error);
        return undefined;
      },
    );
    return unlessLate(clock, longestWaitMs, found);
  }

  async #store(name: string, file: SpeechFile): Promise<void> {
    const bytes = file.encode();
    if (bytes.byteLength > maxBytes) return;
    try {
      await this.#options.files.put(name, bytes, lifeSpanMs);
      this.#storing.worked();
    } catch (error) {
      this.#storing.failed(error);
    }
  }
}
