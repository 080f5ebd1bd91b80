/** Verifies JSON Web Tokens against an issuer's published keys. */
import type { JWTPayload } from "jose";
import { BadRequestError } from "../platform/errors.ts";
import { shareOutageLog, type OutageLog, type OutageSentences } from "../platform/outage-log.ts";
import { createPublishedKeys, type FetchKeys, type KeysProblem, type PublishedKeys } from "./published-keys.ts";

export interface TokenRules {
  readonly jwksUrl: string;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
}

export interface TokenVerifier {
  /**
   * Rejects with `unauthorized` for an invalid token, and with `dependency_not_ready` if no keys can be fetched, or if the token's
   * may have been published since they were.
   */
  verify(token: string, rules: TokenRules): Promise<JWTPayload>;
}

/** A verifier that knows whether it can fetch the keys that it needs. */
export interface FetchingVerifier extends TokenVerifier {
  /** For operators; undefined while nothing is wrong. */
  keysProblem(): KeysProblem | undefined;
}

/** Allows for clocks that differ. */
export const tokenToleranceMs = 60_000;

/** Loaded with the first token, because a new instance answers its first health checks without it. */
const loadJose = () => import("jose");

type Jose = Awaited<ReturnType<typeof loadJose>>;

/** The log lines about an issuer whose keys cannot be fetched (ACCESS-31a). */
export const keysOutage: OutageSentences = {
  failing: "the keys that tokens are verified by cannot be fetched from their issuer",
  over: "the keys that tokens are verified by are fetched again",
};

export function createTokenVerifier(
  outageLog: OutageLog,
  fetchKeys: FetchKeys = fetch,
  now: () => number = () => performance.now(),
): FetchingVerifier {
  const byUrl = new Map<string, PublishedKeys>();
  const logOf = shareOutageLog(outageLog);
  const keysAt = (jose: Jose, url: string): PublishedKeys => {
    const keys = byUrl.get(url) ?? createPublishedKeys({ url, jose, fetchKeys, now, outageLog: logOf() });
    byUrl.set(url, keys);
    return keys;
  };
  return {
    keysProblem: () => [...byUrl.values()].find(({ problem }) => problem !== undefined)?.problem,
    async verify(token, { jwksUrl, issuers, audiences }) {
      const jose = await loadJose();
      try {
        const { payload } = await jose.jwtVerify(token, keysAt(jose, jwksUrl).find, {
          issuer: [...issuers],
          audience: [...audiences],
          // Both issuers sign with RS256. Naming it refuses `none` and keys of the wrong kind.
          algorithms: ["RS256"],
          clockTolerance: tokenToleranceMs / 1000,
          requiredClaims: ["exp"],
        });
        return payload;
      } catch (error) {
        throw toAccessError(error, jose);
      }
    },
  };
}

function toAccessError(error: unknown, { errors }: Jose): unknown {
  return error instanceof errors.JOSEError ? refusedToken(whatIsWrong(error)) : error;
}

/** The code is the one that RFC 6750 has for the answer's `WWW-Authenticate`. */
function refusedToken(problem: string): BadRequestError {
  const field = { field: "authorization", message: problem, code: "invalid_token" };
  return new BadRequestError("unauthorized", `The access token is not accepted: ${problem}.`, [field]);
}

/** In our own text, because the library's could repeat what the token contains. */
function whatIsWrong(error: InstanceType<Jose["errors"]["JOSEError"]>): string {
  if (error.code === "ERR_JWT_EXPIRED") return "it has expired";
  if (error.code === "ERR_JWT_CLAIM_VALIDATION_FAILED") {
    const claim = "claim" in error && typeof error.claim === "string" ? error.claim : "";
    return Object.hasOwn(wrongClaims, claim) ? (wrongClaims[claim] ?? "") : "one of its claims is missing or not valid";
  }
  if (error.code === "ERR_JWS_SIGNATURE_VERIFICATION_FAILED" || error.code === "ERR_JWKS_NO_MATCHING_KEY")
    return "no key of the issuer has signed it";
  return "it is not a signed JSON Web Token of the kind that is read here";
}

const wrongClaims: Readonly<Record<string, string>> = {
  aud: "it was issued for another service (aud)",
  iss: "its issuer is not trusted here (iss)",
  nbf: "it is not valid yet (nbf)",
  exp: "it says nothing valid of its expiry (exp)",
};

/** The token in an `Authorization` header. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? "")?.[1];
}
