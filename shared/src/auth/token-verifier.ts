/** Verifies Verifies JSON Web Tokens against an issuer's published keys. */
import type { createRemoteJWKSet, FetchImplementation, JWTPayload } from "jose";
import { VoiceError } from "../platform/errors.ts";

export interface TokenRules {
  readonly jwksUrl: string;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
}

export interface TokenVerifier {
  /** Rejects with `unauthorized` for an invalid token, and with `dependency_not_ready` if no keys can be fetched. */
  verify(token: string, rules: TokenRules): Promise<JWTPayload>;
}

const keysTimeoutMs = 3000;
/**
 * The shortest interval between key fetches: a rotated key is refused for at most this long, and an attacker cannot
 * cause more fetches.
 */
const keysCooldownMs = 30_000;
const keysMaxAgeMs = 600_000;
/** Allows for clocks that differ. */
const toleranceSeconds = 60;

/** Loaded with the first token, because a new instance answers its first health checks without it. */
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
    // The key set's URL answered with something other than 200, or not with JSON.
    error.code !== "ERR_JOSE_GENERIC";
  if (isAboutToken) return new VoiceError("unauthorized", `token refused: ${error.code}`);
  return new VoiceError("dependency_not_ready", "the issuer's keys cannot be fetched", { cause: error });
}

/** The token in an `Authorization` header. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1];
}
