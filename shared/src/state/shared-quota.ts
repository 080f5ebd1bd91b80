/**
 * Limits how often each client may do something per hour, or how much of it, across all hosts and instances. Each use costs one store
 * command, and none for a client whose quota is known to be used up.
 *
 * While the store is unavailable each process applies the limit to its own count. The quota guards against a single
 * greedy client, and refusing everybody during an outage would be worse.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock.ts";
import { BadRequestError } from "../platform/errors.ts";
import { hourMs } from "../platform/day.ts";
import { HourlyQuota } from "../platform/hourly-quota.ts";
import type { Logger } from "../platform/logger.ts";
import { createOutageLog, type OutageLog } from "../platform/outage-log.ts";
import type { CounterStore } from "./records/counter-store.ts";

export interface SharedQuotaOptions {
  /** What is counted. */
  readonly name: string;
  /** The message to a client whose quota is used up. */
  readonly problem: string;
  /** Read each time, because settings may change. */
  readonly limit: () => number;
  readonly counters: Pick<CounterStore, "add">;
  readonly clock: Clock;
  readonly logger: Logger;
}

const sentences = {
  failing: "a quota is counted by this process alone",
  over: "a quota is counted by all processes again",
};

export interface QuotaExceeded {
  readonly retryAfterMs: number;
}

export class SharedQuota {
  readonly #options: SharedQuotaOptions;
  readonly #own: HourlyQuota;
  readonly #counting: OutageLog;

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
    this.#own = new HourlyQuota(options.limit, options.clock);
    this.#counting = createOutageLog(options.logger, sentences, { quota: options.name });
  }

  /** Counts a use, or returns how long to wait if the client's quota is used up. Never rejects. */
  async take(client: string, amount = 1): Promise<QuotaExceeded | undefined> {
    const { limit, counters, name } = this.#options;
    const refused = this.#own.take(client, amount);
    if (refused !== undefined) return refused;
    try {
      const { count, endsInMs } = await counters.add(quotaKeyOf(name, client), hourMs, amount);
      this.#counting.worked();
      if (count <= limit()) return undefined;
      this.#own.useUp(client, endsInMs);
      return { retryAfterMs: endsInMs };
    } catch (error) {
      this.#counting.failed(error);
      return undefined;
    }
  }

  /** The same, but throws an error for the client. */
  async require(client: string, amount = 1): Promise<void> {
    const refused = await this.take(client, amount);
    if (refused !== undefined) throw new BadRequestError("rate_limited", this.#options.problem, [], refused);
  }
}

/** The quota for conversations, whatever the channel. */
export function createSessionQuota(
  settings: () => { readonly maxSessionsPerHour: number },
  parts: Pick<SharedQuotaOptions, "counters" | "clock" | "logger">,
): SharedQuota {
  const problem = "This client has begun as many as it may in an hour.";
  return new SharedQuota({ name: "sessions", problem, limit: () => settings().maxSessionsPerHour, ...parts });
}

/**
 * ACCESS-27: the quota for the bytes that a client has the service store before anybody talks: agents, scenarios, customers and contexts of
 * calls.
 */
export function createStorageQuota(
  settings: () => { readonly maxStoredBytesPerHour: number },
  parts: Pick<SharedQuotaOptions, "counters" | "clock" | "logger">,
): SharedQuota {
  const problem = "This client has stored as many bytes as it may in an hour (MAX_STORED_BYTES_PER_HOUR).";
  return new SharedQuota({ name: "stored bytes", problem, limit: () => settings().maxStoredBytesPerHour, ...parts });
}

/** Hashed, because an address or a user's id must not be readable in a list of keys. */
export function quotaKeyOf(name: string, client: string): string {
  return `${name}:${createHash("sha256").update(client).digest("base64url")}`;
}
