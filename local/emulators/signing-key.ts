/** The key of a token issuer on loopback: the key set that it publishes, and the tokens that it signs. */
import { exportJWK, generateKeyPair } from "jose";
import type { JWK, SignJWT } from "jose";

export interface SigningKey {
  /** The JSON Web Key Set. */
  keySet(): Promise<{ readonly keys: readonly JWK[] }>;
  sign(token: SignJWT): Promise<string>;
}

/** Making the key takes up to a fifth of a second, so only the first token and the first key set wait for it. */
export function createSigningKey(id: string): SigningKey {
  const name = { kid: id, alg: "RS256" };
  const pair = generateKeyPair(name.alg);
  pair.catch(() => undefined); // the first token's requester receives it
  return {
    keySet: async () => ({ keys: [{ ...(await exportJWK((await pair).publicKey)), ...name, use: "sig" }] }),
    sign: async (token) => token.setProtectedHeader({ ...name, typ: "JWT" }).sign((await pair).privateKey),
  };
}
