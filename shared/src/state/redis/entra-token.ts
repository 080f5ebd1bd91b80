/**
 * A password that changes: an Entra token for the cache, renewed long before it ends. The server closes a connection
 * whose token has run out, so whoever holds connections must authenticate each of them again with every new token.
 */
import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";

/** The part of `@azure/identity`'s credentials that is needed. */
export interface TokenCredential {
  getToken(scope: string): Promise<{ readonly token: string; readonly expiresOnTimestamp: number } | null>;
}

/** What the tokens of Azure Managed Redis are for. */
export const cacheTokenScope = "https://redis.azure.com/.default";

/** The vendor asks for a renewal at least three minutes before the end; a refusal must leave time to try again. */
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

/** Resolves after the first answer, good or bad; a refusal is tried again. */
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

/** At 75 to 80 % of the life, and never later than five minutes before its end unless it is shorter than ten. */
export function renewalDelay(lifeMs: number, random: number): number {
  const share = lifeMs * (0.75 + 0.05 * random);
  const latest = lifeMs > 2 * marginMs ? lifeMs - marginMs : share;
  return Math.max(100, Math.round(Math.min(share, latest)));
}
