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

export type PublishedKeys = ReturnType<typeof createPublishedKeys>;

export function createPublishedKeys({ url, jose, fetchKeys, now, outageLog }: PublishedKeysOptions) {
  const unknownSince = new RecentlyUsed<number>(mostUnknown);
  let keys: { readonly set: KeySet; readonly startedMs: number } | undefined;
  let hasFailed = false;
  let mayFetchFromMs = -Infinity;
  let fetching: Promise<void> | undefined;
  const ageMs = (nowMs: number): number => (keys === undefined ? Infinity : nowMs - keys.startedMs);
  const isUsable = (nowMs: number): boolean => ageMs(nowMs) <= usableForMs;

  async function read(): Promise<KeySet> {
    const answer = await fetchKeys(url, {
      headers: { accept: "application/json, application/jwk-set+json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status !== 200) throw new Error(`the issuer's keys are answered with ${answer.status}`);
    return jose.createLocalJWKSet(keySet.parse(await answer.json()));
  }

  async function fetchOnce(startedMs: number): Promise<void> {
    try {
      keys = { set: await read(), startedMs };
      hasFailed = false;
      outageLog.worked();
    } catch (cause) {
      const failedMs = now();
      hasFailed = true;
      mayFetchFromMs = failedMs + (isUsable(failedMs) ? failedCooldownMs.withOldKeys : failedCooldownMs.withoutKeys);
      outageLog.failed(cause);
      throw cannotFetch({ cause });
    }
  }

  /** Runs one fetch at a time. Rejects with `dependency_not_ready` if it fails, or if the last one was a moment ago. */
  function fetchTogether(): Promise<void> {
    if (fetching !== undefined) return fetching;
    const startedMs = now();
    if (startedMs < mayFetchFromMs) return Promise.reject(cannotFetch({ retryAfterMs: mayFetchFromMs - startedMs }));
    mayFetchFromMs = startedMs + cooldownMs;
    fetching = fetchOnce(startedMs).finally(() => (fetching = undefined));
    return fetching;
  }

  /** Rejects only if there are no keys that may still be used. */
  async function renew(nowMs: number): Promise<void> {
    try {
      await fetchTogether();
    } catch (error) {
      if (!isUsable(nowMs)) throw error;
    }
  }

  function resolve(header: JWSHeaderParameters, token: FlattenedJWSInput) {
    if (keys === undefined) throw cannotFetch();
    return keys.set(header, token);
  }

  return {
    /**
     * The key for jose. Rejects with its `JWKSNoMatchingKey` only if the keys were fetched after the token's key was first asked for,
     * and with `dependency_not_ready` while that is not known.
     */
    async find(header: JWSHeaderParameters, token: FlattenedJWSInput) {
      const nowMs = now();
      if (ageMs(nowMs) > maxAgeMs) await renew(nowMs);
      try {
        return await resolve(header, token);
      } catch (error) {
        if (!(error instanceof jose.errors.JWKSNoMatchingKey)) throw error;
      }
      const name = (header.kid ?? "").slice(0, longestName);
      const sinceMs = unknownSince.get(name) ?? nowMs;
      unknownSince.set(name, sinceMs, 1);
      while (keys === undefined || keys.startedMs < sinceMs) await fetchTogether();
      return resolve(header, token);
    },
    /** For operators; undefined while the keys are as new as they should be, or nobody has needed them yet. */
    get problem(): KeysProblem | undefined {
      if (!hasFailed) return undefined;
      return isUsable(now()) ? usedOn : nobodyIsLetIn;
    },
  };
}

const usedOn: KeysProblem = {
  letsIn: true,
  text: "the issuer's keys cannot be fetched again; those that are known are used for up to twelve hours",
};
const nobodyIsLetIn: KeysProblem = {
  letsIn: false,
  text: "the issuer's keys cannot be fetched, so nobody is let in",
};

function cannotFetch(options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {}): VoiceError {
  return new VoiceError("dependency_not_ready", "the issuer's keys cannot be fetched", options);
}
