/** The communication service as a token issuer: one RSA key, its key set, and the tokens on callbacks and media sockets. */
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { JWK } from "jose";

export interface CallTokens {
  /** The JSON Web Key Set. */
  readonly keySet: { readonly keys: readonly JWK[] };
  issue(lifeSpan: string): Promise<string>;
}

export async function createCallTokens(issuer: string, audience: string): Promise<CallTokens> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(publicKey)), kid: "emulator", alg: "RS256", use: "sig" };
  return {
    keySet: { keys: [key] },
    issue: (lifeSpan) =>
      new SignJWT({})
        .setProtectedHeader({ alg: "RS256", kid: key.kid, typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(lifeSpan)
        .sign(privateKey),
  };
}
