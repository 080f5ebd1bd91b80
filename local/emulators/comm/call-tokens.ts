/**
 * The communication service as a token issuer: one RSA key, its key set, and the tokens on callbacks and media sockets. Whose they are and
 * for whom is as in Call Automation, "Secure webhook endpoint" (docs/vendors/communication-services.md).
 */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { JWK } from "jose";

export interface CallTokens {
  /** The JSON Web Key Set. */
  keySet(): Promise<{ readonly keys: readonly JWK[] }>;
  issue(lifeSpan: string): Promise<string>;
}

/** Making the key takes up to a fifth of a second, beside everything else: nobody waits for it but the first call. */
export function createCallTokens(issuer: string, audience: string): CallTokens {
  const name = { kid: "emulator", alg: "RS256" };
  const pair = generateKeyPair(name.alg);
  pair.catch(() => undefined); // the first call learns of it
  return {
    async keySet() {
      return { keys: [{ ...(await exportJWK((await pair).publicKey)), ...name, use: "sig" }] };
    },
    async issue(lifeSpan) {
      return new SignJWT({})
        .setProtectedHeader({ ...name, typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(lifeSpan)
        .sign((await pair).privateKey);
    },
  };
}
