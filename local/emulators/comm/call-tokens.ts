/**
 * The communication service as a token issuer: one RSA key, its key set, and the tokens on callbacks and media sockets. Whose they are and
 * for whom is as in Call Automation, "Secure webhook endpoint" (docs/vendors/communication-services.md).
 */
import { SignJWT } from "jose";
import { createSigningKey } from "../signing-key.ts";
import type { SigningKey } from "../signing-key.ts";

export interface CallTokens extends Pick<SigningKey, "keySet"> {
  issue(lifeSpan: string): Promise<string>;
}

export function createCallTokens(issuer: string, audience: string): CallTokens {
  const key = createSigningKey("emulator");
  return {
    keySet: () => key.keySet(),
    issue: (lifeSpan) =>
      key.sign(new SignJWT({}).setIssuer(issuer).setAudience(audience).setIssuedAt().setExpirationTime(lifeSpan)),
  };
}
