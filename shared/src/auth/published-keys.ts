/**
 * The keys that an issuer publishes, fetched when they are needed, old, or do not contain the key of a token. Fetches are rare
 * whatever tokens come, and a refusal that may be due to our own old keys is a temporary one (DELIVER-4).
 *
 * jose's `createRemoteJWKSet` (6.2) does neither: within its cooldown it reports an unknown key as one that does not exist, and
 * after a failed fetch it fetches again for every token.
 */
import type { createLocalJWKSet, errors, FlattenedJWSInput, JWSHeaderParameters } from "jose";
import { z } from "zod";
import { hourMs } from "../platform/day.ts";
import { VoiceError } from "../platform/errors.ts";
import type { OutageLog } from "../platform/outage-log.ts";
import { RecentlyUsed } from "../platform/recently-used.ts";

export type FetchKeys = (url: string, init: RequestInit) => Promise<Response>;
type Jose = { readonly createLocalJWKSet: typeof createLocalJWKSet; readonly errors: typeof errors };
type KeySet = ReturnType<typeof createLocalJWKSet>;

export interface PublishedKeysOptions {
  readonly url: string;
  readonly jose: Jose;
  readonly fetchKeys: FetchKeys;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly outageLog: OutageLog;
}

/** Why keys could not be fetched lately. */
export interface KeysProblem {
  /** Whether tokens are accepted all the same, by the keys of before. */
  readonly letsIn: boolean;
  readonly text: string;
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

const timeoutMs = 3000;
/** Fetched again after this. */
const maxAgeMs = 600_000;
/**
 * Used for so long where they cannot be fetched again: an outage of the issuer must not turn everybody away, and no issuer withdraws a key
 * within hours without publishing that.
 */
const usableForMs = 12 * hourMs;
/** The shortest time between two fetches, so that tokens with invented keys cause no more of them. */
const cooldownMs = 10_000;
/** The shortest time after a fetch that failed. Without any keys every token is refused until the next one; with old keys nobody waits for it. */
const failedCooldownMs = { withoutKeys: 1000, withOldKeys: 30_000 };
/** How many names of unknown keys are remembered, each with the time of the first request for it. */
const mostUnknown = 1000;
const longestName = 100;

export class PublishedKeys {
  readonly #options: PublishedKeysOptions;
  readonly #unknownSince = new RecentlyUsed<number>(mostUnknown);
  #keys: { readonly set: KeySet; readonly startedMs: number } | undefined;
  #hasFailed = false;
  #mayFetchFromMs = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(options: PublishedKeysOptions) {
    this.#options = options;
  }

  /**
   * The key for jose. Rejects with its `JWKSNoMatchingKey` only if the keys were fetched after the token's key was first asked for,
   * and with `dependency_not_ready` while that is not known.
   */
  readonly find = async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const { jose, now } = this.#options;
    const nowMs = now();
    if (this.#ageMs(nowMs) > maxAgeMs) await this.#renew(nowMs);
    try {
      return await this.#resolve(header, token);
    } catch (error) {
      if (!(error instanceof jose.errors.JWKSNoMatchingKey)) throw error;
    }
    const name = (header.kid ?? "").slice(0, longestName);
    const sinceMs = this.#unknownSince.get(name) ?? nowMs;
    this.#unknownSince.set(name, sinceMs, 1);
    while (this.#keys === undefined || this.#keys.startedMs < sinceMs) await this.#fetch();
    return this.#resolve(header, token);
  };

  /** For operators; undefined while the keys are as new as they should be, or nobody has needed them yet. */
  get problem(): KeysProblem | undefined {
    if (!this.#hasFailed) return undefined;
    return this.#isUsable(this.#options.now())
      ? {
          letsIn: true,
          text: "the issuer's keys cannot be fetched again; those that are known are used for up to twelve hours",
        }
      : { letsIn: false, text: "the issuer's keys cannot be fetched, so nobody is let in" };
  }

  #ageMs(nowMs: number): number {
    return this.#keys === undefined ? Infinity : nowMs - this.#keys.startedMs;
  }

  #isUsable(nowMs: number): boolean {
    return this.#ageMs(nowMs) <= usableForMs;
  }

  /** Rejects only if there are no keys that may still be used. */
  async #renew(nowMs: number): Promise<void> {
    try {
      await this.#fetch();
    } catch (error) {
      if (!this.#isUsable(nowMs)) throw error;
    }
  }

  #resolve(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    if (this.#keys === undefined) throw cannotFetch();
    return this.#keys.set(header, token);
  }

  /** Runs one fetch at a time. Rejects with `dependency_not_ready` if it fails, or if the last one was a moment ago. */
  #fetch(): Promise<void> {
    if (this.#fetching !== undefined) return this.#fetching;
    const { now, outageLog } = this.#options;
    const startedMs = now();
    if (startedMs < this.#mayFetchFromMs)
      return Promise.reject(cannotFetch({ retryAfterMs: this.#mayFetchFromMs - startedMs }));
    this.#mayFetchFromMs = startedMs + cooldownMs;
    const fetching = this.#read().then(
      (set) => {
        this.#keys = { set, startedMs };
        this.#hasFailed = false;
        outageLog.worked();
        return undefined;
      },
      (cause: unknown) => {
        const failedMs = now();
        this.#hasFailed = true;
        this.#mayFetchFromMs =
          failedMs + (this.#isUsable(failedMs) ? failedCooldownMs.withOldKeys : failedCooldownMs.withoutKeys);
        outageLog.failed(cause);
        throw cannotFetch({ cause });
      },
    );
    this.#fetching = fetching.finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #read(): Promise<KeySet> {
    const { url, fetchKeys, jose } = this.#options;
    const answer = await fetchKeys(url, {
      headers: { accept: "application/json, application/jwk-set+json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200) throw new Error(`the issuer's keys are answered with ${answer.status}`);
    return jose.createLocalJWKSet(keySet.parse(await answer.json()));
  }
}

function cannotFetch(options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {}): VoiceError {
  return new VoiceError("dependency_not_ready", "the issuer's keys cannot be fetched", options);
}
