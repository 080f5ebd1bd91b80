/** JSON Web Tokens against an issuer's published keys. */
import type { createRemoteJWKSet, FetchImplementation, JWTPayload } from "jose";
import { VoiceError } from "../platform/errors.ts";

export interface TokenRules {
  readonly jwksUrl: string;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
}

export interface TokenVerifier {
  /** Rejects with `unauthorized` for a token that proves nothing, with `dependency_not_ready` when no keys can be had. */
  verify(token: string, rules: TokenRules): Promise<JWTPayload>;
}

const keysTimeoutMs = 3000;
/** A rotated key is refused for at most this long; an attacker cannot make us fetch more often. */
const keysCooldownMs = 30_000;
const keysMaxAgeMs = 600_000;
/** Clocks differ. */
const toleranceSeconds = 60;

/** Read with the first token: a new instance answers its first health check without it. */
const loadJose = () => import("jose");

type Jose = Awaited<ReturnType<typeof loadJose>>;
type KeySet = ReturnType<typeof createRemoteJWKSet>;

export function createTokenVerifier(fetchKeys: FetchImplementation = fetch): TokenVerifier {
  const keySets = new Map<string, KeySet>();
  const keySetAt = ({ createRemoteJWKSet: create, customFetch }: Jose, url: string): KeySet => {
    const known = keySets.get(url);
    if (known !== undefined) return known;
    const made = create(new URL(url), {
      timeoutDuration: keysTimeoutMs,
      cooldownDuration: keysCooldownMs,
      cacheMaxAge: keysMaxAgeMs,
      [customFetch]: fetchKeys,
    });
    keySets.set(url, made);
    return made;
  };
  return {
    async verify(token, { jwksUrl, issuers, audiences }) {
      const jose = await loadJose();
      try {
        const { payload } = await jose.jwtVerify(token, keySetAt(jose, jwksUrl), {
          issuer: [...issuers],
          audience: [...audiences],
          // Both issuers sign with RS256. Naming it refuses `none` and keys of the wrong kind.
          algorithms: ["RS256"],
          clockTolerance: toleranceSeconds,
          requiredClaims: ["exp"],
        });
        return payload;
      } catch (error) {
        throw toAccessError(error, jose);
      }
    },
  };
}

function toAccessError(error: unknown, { errors }: Jose): VoiceError {
  const isAboutToken =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    // The key set answered with something other than 200, or not with JSON.
    error.code !== "ERR_JOSE_GENERIC";
  if (isAboutToken) return new VoiceError("unauthorized", `token refused: ${error.code}`);
  return new VoiceError("dependency_not_ready", "the issuer's keys cannot be fetched", { cause: error });
}

/** The token in an `Authorization` header. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1];
}
