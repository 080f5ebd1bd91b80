/**
 * A password that changes: an Entra token for the cache, renewed long before it expires. The server closes a connection
 * whose token has expired, so every open connection must be authenticated again with each new token.
 */
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";

/** The part of the `@azure/identity` credentials that this code needs. */
export interface TokenCredential {
  getToken(scope: string): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

/** The scope of the tokens for Azure Managed Redis. */
export const cacheTokenScope = "https://redis.azure.com/.default";

/**
 * The vendor asks for a renewal at least three minutes before expiry, and a refusal must leave time for another
 * attempt.
 */
const marginMs = 5 * 60_000;
const retryDelayMs = 5000;

export interface TokenRotationOptions {
  readonly credential: TokenCredential;
  readonly scope?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 to 1; spreads the renewals of many processes. */
  readonly random: () => number;
  readonly onToken: (token: string) => void;
}

export interface TokenRotation {
  /** Requests a token now, because the server has refused the current one. At most one request runs at a time. */
  renew(): Promise<void>;
  close(): void;
}

/** Resolves after the first answer, whether it succeeds or not; a refused request is repeated. */
export async function startTokenRotation(options: TokenRotationOptions): Promise<TokenRotation> {
  const { credential, scope = cacheTokenScope, clock, logger, random, onToken } = options;
  let closed = false;
  let cancel: CancelTimer = () => undefined;
  let running: Promise<void> | undefined;

  async function request(): Promise<void> {
    cancel();
    let nextMs = retryDelayMs;
    try {
      const granted = await credential.getToken(scope);
      if (closed) return;
      if (granted === null) throw new Error("the credential gave no token");
      nextMs = renewalDelay(granted.expiresOnTimestamp - clock.wallNow(), random());
      onToken(granted.token);
    } catch (error) {
      logger.error({ error }, "no token for the cache");
    }
    if (!closed) cancel = clock.setTimer(nextMs, () => void renew());
  }

  function renew(): Promise<void> {
    running ??= request().finally(() => {
      running = undefined;
    });
    return running;
  }

  await renew();
  return {
    renew,
    close() {
      closed = true;
      cancel();
    },
  };
}

/**
 * Renews at 75 to 80 % of the lifetime, and at least five minutes before expiry unless the lifetime is under ten
 * minutes.
 */
export function renewalDelay(lifeMs: number, random: number): number {
  const share = lifeMs * (0.75 + 0.05 * random);
  const latest = lifeMs > 2 * marginMs ? lifeMs - marginMs : share;
  return Math.max(100, Math.round(Math.min(share, latest)));
}
