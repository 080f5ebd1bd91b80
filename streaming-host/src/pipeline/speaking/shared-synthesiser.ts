/**
 * Wraps any synthesiser. Concurrent requests for the same text in the same voice share one synthesis, and fixed text is cached (the least
 * recently used is evicted first). So forty simultaneous callers cost one greeting, and an apology does not queue behind the request that
 * has just failed.
 */
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { speechKey } from "./speech-key.ts";
import { SharedUtterance } from "./shared-utterance.ts";

export class SharedSynthesiser implements Synthesiser {
  readonly #synthesiser: Synthesiser;
  readonly #maxKeptBytes: number;
  /** Being synthesised. */
  readonly #current = new Map<string, SharedUtterance>();
  /** Finished; the least recently used first. */
  readonly #kept = new Map<string, SharedUtterance>();
  #keptBytes = 0;

  constructor(
    synthesiser: Synthesiser,
    /** How much audio of fixed text is kept in memory: a second at 16 kHz is 32 kB. */
    maxKeptBytes: number,
  ) {
    this.#synthesiser = synthesiser;
    this.#maxKeptBytes = maxKeptBytes;
  }

  async synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const key = speechKey(request);
    const utterance = this.#takeStored(key) ?? this.#currentOf(key) ?? this.#make(key, request);
    await utterance.hear(events, signal);
  }

  pool(): PoolFigures {
    return this.#synthesiser.pool();
  }

  close(): Promise<void> {
    this.#kept.clear();
    this.#keptBytes = 0;
    return this.#synthesiser.close();
  }

  #takeStored(key: string): SharedUtterance | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #currentOf(key: string): SharedUtterance | undefined {
    const current = this.#current.get(key);
    return current?.isAlive === true ? current : undefined;
  }

  #make(key: string, request: SynthesisRequest): SharedUtterance {
    const isKept = request.isFixed === true;
    const utterance = new SharedUtterance(isKept, (events, signal) =>
      this.#synthesiser.synthesise(request, events, signal),
    );
    this.#current.set(key, utterance);
    utterance.made.then(
      () => this.#finish(key, utterance, isKept ? "keep" : "forget"),
      () => this.#finish(key, utterance, "forget"), // the listeners are notified, and the next request tries again
    );
    return utterance;
  }

  #finish(key: string, utterance: SharedUtterance, then: "keep" | "forget"): void {
    if (this.#current.get(key) === utterance) this.#current.delete(key);
    if (then === "keep") this.#keep(key, utterance);
  }

  #keep(key: string, utterance: SharedUtterance): void {
    this.#kept.set(key, utterance);
    this.#keptBytes += utterance.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= this.#maxKeptBytes) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}
