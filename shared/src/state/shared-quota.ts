/**
 * How often each client may do something in an hour, on all hosts and instances together: one command of the store each
 * time, and none for a client whose hour is known to be used up.
 *
 * While the store is away each process counts for itself, and lets in what is within the limit by its own count. What the
 * quota holds off is one client that takes too much; refusing everybody for as long as we cannot count would be worse.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock.ts";
import { BadRequestError, toVoiceError } from "../platform/errors.ts";
import { hourMs, HourlyQuota } from "../platform/hourly-quota.ts";
import type { Logger } from "../platform/logger.ts";
import type { CounterStore } from "./ports/counter-store.ts";

export interface SharedQuotaOptions {
  /** What is counted. */
  readonly name: string;
  /** Asked for anew each time: settings may change. */
  readonly limit: () => number;
  readonly counters: CounterStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface QuotaExceeded {
  readonly retryAfterMs: number;
}

export class SharedQuota {
  readonly #options: SharedQuotaOptions;
  readonly #own: HourlyQuota;

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
    this.#own = new HourlyQuota(options.limit, options.clock);
  }

  /** Counts one more; or says how long to wait, where the client's hour is used up. Never rejects. */
  async take(client: string): Promise<QuotaExceeded | undefined> {
    const { limit, counters, logger, name } = this.#options;
    const refused = this.#own.take(client);
    if (refused !== undefined) return refused;
    try {
      const { count, endsInMs } = await counters.add(keyOf(name, client), hourMs);
      if (count <= limit()) return undefined;
      this.#own.useUp(client, endsInMs);
      return { retryAfterMs: endsInMs };
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code, quota: name }, "a quota is counted by this process alone");
      return undefined;
    }
  }

  /** The same for who answers with an error. */
  async require(client: string, problem = "This client has begun as many as it may in an hour."): Promise<void> {
    const refused = await this.take(client);
    if (refused !== undefined) throw new BadRequestError("rate_limited", problem, [], refused);
  }
}

/** One for conversations, over whatever door they are begun. */
export function createSessionQuota(
  settings: () => { readonly maxSessionsPerHour: number },
  parts: Pick<SharedQuotaOptions, "counters" | "clock" | "logger">,
): SharedQuota {
  return new SharedQuota({ name: "sessions", limit: () => settings().maxSessionsPerHour, ...parts });
}

/** It may be an address or a user's id, which nobody should read in a list of keys. */
function keyOf(name: string, client: string): string {
  return `${name}:${createHash("sha256").update(client).digest("base64url")}`;
}
