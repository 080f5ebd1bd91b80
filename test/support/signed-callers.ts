/** Callers with tokens of an issuer on loopback, and the settings under which the service believes it. */
import type { Environment } from "@voice/shared/config/load";
import type { TokenIssuer } from "../integration/http/token-issuer.ts";

const audience = "6f9619ff-8b86-4011-b42d-00c04fc964f2";
const tenant = "6f9619ff-8b86-4011-b42d-00c04fc964f1";
const client = "6f9619ff-8b86-4011-b42d-00c04fc964f3";

export function authenticationBy(issuer: TokenIssuer): Environment {
  return {
    ENABLE_AUTH_VALIDATION: "true",
    BACKEND_AUTH_CLIENT_ID: audience,
    CLOUD_TENANT_ID: tenant,
    ALLOWED_CLIENT_IDS: client,
    AUTH_JWT_ISSUER: issuer.issuer,
    AUTH_JWKS_URL: issuer.jwksUrl,
  };
}

export type Credentials = Readonly<Record<string, string>>;

export async function bearerOf(
  issuer: TokenIssuer,
  subject: string,
  roles: readonly string[] = [],
  claims: Readonly<Record<string, unknown>> = {},
): Promise<Credentials> {
  const usual = { aud: audience, tid: tenant, azp: client, ver: "2.0", sub: subject, roles };
  const token = await issuer.sign({ ...usual, ...claims });
  return { authorization: `Bearer ${token}` };
}
