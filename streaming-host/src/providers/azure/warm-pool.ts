/**
 * Clients that are connected before they are needed. A lease belongs to its taker until it is released, once; the pool then retains the
 * client or discards it, and connects the next one in the background.
 */
import { AllocationCount } from "@voice/provider-kit/ports/allocation-count";
import { growingDelayMs } from "@voice/shared/platform/backoff";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { UpstreamAccessError, VoiceError, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { OutageLog } from "@voice/shared/platform/outage-log";
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";

export interface PooledClient {
  /** False as soon as the connection is gone. */
  isUsable(): boolean;
  /** The pool sets this to learn that an idle client died, and sets a no-op when the client is leased. */
  onUnusable(listener: () => void): void;
  /** Idempotent. */
  close(): void;
}

export type Lease<Client> = {
  readonly client: Client;
  /** The client was connected before it was needed, so something on the way may have dropped the connection since then. */
  readonly wasKept: boolean;
  /** Idempotent. `reuse` returns the client to the pool, `discard` ends it. */
  release(fate: "reuse" | "discard"): void;
};

export type WarmPoolOptions<Client extends PooledClient> = {
  readonly name: string;
  /** How many clients are connected ahead of time. */
  readonly target: number;
  /**
   * Whether released clients return to the pool. If so, leased ones count towards the target, and all are retained when they return: up to
   * the number of the busiest moment, until idle ones are trimmed.
   */
  readonly isRecycled: boolean;
  readonly connect: (signal: AbortSignal) => Promise<Client>;
  /** The service drops idle connections; they are replaced before that. */
  readonly maxIdleMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

const retry = { firstMs: 1_000, longestMs: 60_000 };
const sentences = {
  failing: "no clients can be warmed up; it is tried again",
  over: "clients are warmed up again",
};

export class WarmPool<Client extends PooledClient> {
  readonly #options: WarmPoolOptions<Client>;
  readonly #idle = new Map<Client, CancelTimer>();
  readonly #leased = new Set<Client>();
  readonly #closing = new AbortController();
  #filling: Promise<void> | undefined;
  #cancelRetry: CancelTimer = () => {};
  /** Consecutive failures. */
  #failures = 0;
  #isReady: boolean;
  readonly #allocations = new AllocationCount();
  #warmupCycles = 0;
  #warmupFailures = 0;
  #lastFailure: VoiceError | undefined;
  #hasConnected = false;
  #hasServed = false;
  readonly #warming: OutageLog;

  constructor(options: WarmPoolOptions<Client>) {
    this.#options = options;
    this.#warming = createOutageLog(options.logger, sentences, { pool: options.name });
    this.#isReady = options.target === 0;
    this.#fill();
  }

  lease(signal: AbortSignal): Promise<Lease<Client>> {
    return this.#lease(this.#takeIdle(), this.#options.connect, signal);
  }

  /** Leases a client that differs from those in the pool. It counts like the others, but its user must discard it. */
  leaseUnlike(connect: (signal: AbortSignal) => Promise<Client>, signal: AbortSignal): Promise<Lease<Client>> {
    return this.#lease(undefined, connect, signal);
  }

  /** One of them has turned out to be dead without any sign, so the others may be dead, too. */
  replaceIdle(): void {
    for (const client of this.#idle.keys()) this.#evict(client);
    this.#fill();
  }

  figures(): PoolFigures {
    return {
      ready: this.#isReady && !this.#closing.signal.aborted,
      warmSize: this.#idle.size,
      warmTarget: this.#options.target,
      activeSessions: this.#leased.size,
      ...this.#allocations.figures,
      warmupCycles: this.#warmupCycles,
      warmupFailures: this.#warmupFailures,
      basis: this.#hasServed ? "answered" : this.#hasConnected ? "reached" : "not-asked",
      lastErrorCode: this.#lastFailure?.code,
      lastReason: this.#lastFailure?.reason,
    };
  }

  /** Leased clients are closed as well, even while they are in use. */
  async close(): Promise<void> {
    this.#closing.abort(
      new VoiceError("upstream_unavailable", `${this.#options.name} is closed`, { retryable: false }),
    );
    this.#cancelRetry();
    this.replaceIdle();
    for (const client of this.#leased) client.close();
    await this.#filling;
  }

  async #lease(
    warm: Client | undefined,
    connect: (signal: AbortSignal) => Promise<Client>,
    signal: AbortSignal,
  ): Promise<Lease<Client>> {
    const closing = this.#closing.signal;
    if (closing.aborted) throw closing.reason;
    const client = warm ?? (await this.#connect(connect, AbortSignal.any([signal, closing])));
    this.#allocations.add({ isWarm: warm !== undefined });
    this.#leased.add(client);
    this.#hasServed = true;
    this.#fill();
    let released = false;
    return {
      client,
      wasKept: warm !== undefined,
      release: (fate) => {
        if (released) return;
        released = true;
        this.#leased.delete(client);
        if (fate === "reuse" && this.#options.isRecycled) this.#keep(client);
        else client.close();
        this.#fill();
      },
    };
  }

  async #connect(connect: (signal: AbortSignal) => Promise<Client>, signal: AbortSignal): Promise<Client> {
    try {
      const client = await connect(signal);
      this.#hasConnected = true;
      this.#lastFailure = undefined;
      return client;
    } catch (error) {
      const failure = toVoiceError(error);
      // A service that rejects what one client requests, such as a language that it lacks, serves the others as before.
      const isOfService =
        connect === this.#options.connect || failure.retryable || failure instanceof UpstreamAccessError;
      if (isOfService && !signal.aborted) this.#lastFailure = failure;
      throw error;
    }
  }

  #takeIdle(): Client | undefined {
    for (const [client, cancelExpiry] of this.#idle) {
      cancelExpiry();
      this.#idle.delete(client);
      client.onUnusable(() => {});
      if (client.isUsable()) return client;
      client.close();
    }
    return undefined;
  }

  #keep(client: Client): void {
    if (!client.isUsable() || this.#closing.signal.aborted) {
      client.close();
      return;
    }
    const replace = (): void => {
      this.#evict(client);
      this.#fill();
    };
    this.#idle.set(client, this.#options.clock.setTimer(this.#options.maxIdleMs, replace));
    client.onUnusable(replace);
  }

  #evict(client: Client): void {
    this.#idle.get(client)?.();
    this.#idle.delete(client);
    client.onUnusable(() => {});
    client.close();
  }

  /** Connects one client at a time, so that warming up does not look like an attack to the service. */
  #fill(): void {
    if (this.#filling !== undefined || !this.#isMissing() || this.#closing.signal.aborted) return;
    this.#cancelRetry();
    this.#filling = this.#fillOnce();
  }

  #isMissing(): boolean {
    const { target, isRecycled } = this.#options;
    return this.#idle.size + (isRecycled ? this.#leased.size : 0) < target;
  }

  async #fillOnce(): Promise<void> {
    const isFilled = await this.#connectMissing();
    this.#filling = undefined;
    if (isFilled) this.#fill();
  }

  async #connectMissing(): Promise<boolean> {
    const { connect, clock } = this.#options;
    try {
      const closing = this.#closing.signal;
      while (this.#isMissing() && !closing.aborted) this.#keep(await this.#connect(connect, closing));
      this.#warmupCycles++;
      this.#isReady = true;
      this.#failures = 0;
      this.#warming.worked();
      return true;
    } catch (error) {
      if (this.#closing.signal.aborted) return false;
      this.#warmupFailures++;
      this.#isReady = false;
      const retryMs = growingDelayMs(this.#failures, retry);
      this.#failures += 1;
      this.#warming.failed(error);
      this.#cancelRetry = clock.setTimer(retryMs, () => this.#fill());
      return false;
    }
  }
}
