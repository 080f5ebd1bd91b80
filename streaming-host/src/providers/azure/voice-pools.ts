/**
 * The connected synthesisers: one pool for each rate and each deployment of a custom voice, because a client is connected for both.
 * Deployments are named by agents, which clients can create. So a deployment that does not respond says nothing about the service and
 * delays nobody else's speech, and only a limited number of unused ones is retained.
 */
import type { PoolFigures } from "@voice/provider-kit/ports/recogniser";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createUpstream } from "@voice/shared/platform/upstream";
import type { Upstream } from "@voice/shared/platform/upstream";
import type { SynthesisRateHz } from "./synthesis-client.ts";
import { WarmPool } from "./warm-pool.ts";
import type { PooledClient } from "./warm-pool.ts";

/** How many deployments of custom voices keep a pool while nobody uses them: more than one service has brands. */
export const mostUnusedDeployments = 16;

export interface VoicePoolsOptions<Client extends PooledClient> {
  readonly warm: { readonly size: number; readonly sampleRateHz: SynthesisRateHz };
  readonly connect: (voice: ConnectedVoice, signal: AbortSignal) => Promise<Client>;
  readonly maxIdleMs: number;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ConnectedVoice {
  readonly sampleRateHz: SynthesisRateHz;
  /** The deployment id of a custom voice. */
  readonly endpointId?: string | undefined;
}

export interface VoicePool<Client extends PooledClient> {
  readonly pool: WarmPool<Client>;
  /** The health of this deployment as a whole. */
  readonly upstream: Upstream;
}

interface Entry<Client extends PooledClient> extends VoicePool<Client> {
  readonly isCustom: boolean;
  users: number;
}

type Allocations = Pick<PoolFigures, "allocationsTotal" | "allocationsWarm" | "allocationsCold">;

export class VoicePools<Client extends PooledClient> {
  readonly #options: VoicePoolsOptions<Client>;
  readonly #usual: Upstream;
  /** The least recently used comes first. */
  readonly #entries = new Map<string, Entry<Client>>();
  /** The counts of pools that were closed: counters must not decrease. */
  #past: Allocations = { allocationsTotal: 0, allocationsWarm: 0, allocationsCold: 0 };

  constructor(options: VoicePoolsOptions<Client>) {
    const { retry, logger, warm } = options;
    this.#options = options;
    this.#usual = createUpstream({ name: "speech synthesis", retry, logger });
    this.#entryOf({ sampleRateHz: warm.sampleRateHz });
  }

  async use<Result>(voice: ConnectedVoice, speak: (pool: VoicePool<Client>) => Promise<Result>): Promise<Result> {
    const entry = this.#entryOf(voice);
    entry.users += 1;
    try {
      return await speak(entry);
    } finally {
      entry.users -= 1;
      this.#forgetUnused();
    }
  }

  figures(): PoolFigures {
    const entries = [...this.#entries.values()];
    const all = entries.map(({ pool }) => pool.figures()).reduce((left, right) => add(left, right));
    const usual = entries.filter(({ isCustom }) => !isCustom).map(({ pool }) => pool.figures());
    const troubled = usual.find(({ lastErrorCode }) => lastErrorCode !== undefined);
    return {
      ...all,
      ...addAllocations(all, this.#past),
      lastErrorCode: troubled?.lastErrorCode,
      lastReason: troubled?.lastReason,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ pool }) => pool.close()));
  }

  #entryOf(voice: ConnectedVoice): Entry<Client> {
    const key = `${voice.sampleRateHz} ${voice.endpointId ?? ""}`;
    const entry = this.#entries.get(key) ?? this.#create(voice);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #create(voice: ConnectedVoice): Entry<Client> {
    const { warm, connect, maxIdleMs, retry, clock, logger } = this.#options;
    const { sampleRateHz, endpointId } = voice;
    const isCustom = endpointId !== undefined;
    const pool = new WarmPool<Client>({
      name: `synthesisers at ${sampleRateHz} Hz`,
      target: sampleRateHz === warm.sampleRateHz && !isCustom ? warm.size : 0,
      isRecycled: true,
      connect: (signal) => connect(voice, signal),
      maxIdleMs,
      clock,
      logger,
    });
    const upstream = isCustom
      ? createUpstream({ name: "speech synthesis of a custom voice", retry, logger })
      : this.#usual;
    return { pool, upstream, isCustom, users: 0 };
  }

  #forgetUnused(): void {
    const unused = [...this.#entries].filter(([, { isCustom, users }]) => isCustom && users === 0);
    for (const [key, { pool }] of unused.slice(0, Math.max(0, unused.length - mostUnusedDeployments))) {
      this.#past = addAllocations(this.#past, pool.figures());
      this.#entries.delete(key);
      // The pool connects nothing ahead of time, and its clients are not in use, so there is nothing to wait for.
      void pool.close();
    }
  }
}

function add(left: PoolFigures, right: PoolFigures): PoolFigures {
  return {
    ready: left.ready && right.ready,
    warmSize: left.warmSize + right.warmSize,
    warmTarget: left.warmTarget + right.warmTarget,
    activeSessions: left.activeSessions + right.activeSessions,
    ...addAllocations(left, right),
    warmupCycles: left.warmupCycles + right.warmupCycles,
    warmupFailures: left.warmupFailures + right.warmupFailures,
  };
}

function addAllocations(left: Allocations, right: Allocations): Allocations {
  return {
    allocationsTotal: left.allocationsTotal + right.allocationsTotal,
    allocationsWarm: left.allocationsWarm + right.allocationsWarm,
    allocationsCold: left.allocationsCold + right.allocationsCold,
  };
}
