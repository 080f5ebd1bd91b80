/** An authority whose tokens are passwords of one ACL user, on every node there is. */
import type { Redis } from "ioredis";
import { cacheTokenScope, type TokenCredential } from "@voice/shared/state/redis/entra-token";

export interface TokenIssuer {
  /** An object id, as an identity has. */
  readonly username: string;
  readonly credential: TokenCredential;
  issued(): number;
  revokeAllButTheLatest(): Promise<void>;
}

const hourMs = 3_600_000;
const username = "11111111-2222-3333-4444-555555555555";

/**
 * Each token is revoked when the second one after it is out, as expiry does: by then everybody has had the whole life of a
 * token to change to the one after it. Only the first `shortLivedCount` tokens live for `lifeMs`, so that a test can end
 * with one that nothing replaces while it looks.
 */
export function createTokenIssuer(
  admins: readonly Redis[],
  lifeMs: number,
  shortLivedCount = Number.POSITIVE_INFINITY,
): TokenIssuer {
  let issued = 0;
  let valid: string[] = [];

  async function setUser(...rules: string[]): Promise<void> {
    await Promise.all(admins.map((admin) => admin.call("ACL", "SETUSER", username, ...rules)));
  }

  async function revokeAllBut(count: number): Promise<void> {
    const revoked = valid.slice(0, -count);
    valid = valid.slice(-count);
    for (const token of revoked) await setUser(`<${token}`);
  }

  return {
    username,
    issued: () => issued,
    revokeAllButTheLatest: () => revokeAllBut(1),
    credential: {
      async getToken(scope: string) {
        if (scope !== cacheTokenScope) throw new Error("a token for something else than the cache was asked for");
        issued += 1;
        const ownLifeMs = issued > shortLivedCount ? hourMs : lifeMs;
        const token = `token-${issued}-${Math.random()}`;
        await setUser(`>${token}`, "on", "~*", "&*", "+@all");
        valid.push(token);
        await revokeAllBut(2);
        return { token, expiresOnTimestamp: Date.now() + ownLifeMs };
      },
    },
  };
}
