/** An identity provider on loopback: keys behind a URL that can break, and tokens of any kind, right and wrong. */
import { SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { listen } from "../../../local/emulators/listen.ts";
import { createSigningKey } from "../../../local/emulators/signing-key.ts";

/**
 * The clock of the services under test runs several times as fast as ours, so after two minutes of tests it would be past the
 * five minutes of a usual token, and would end the sockets that it opened.
 */
const aDaySeconds = 86_400;

export interface TokenIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** How the keys are served from now on. */
  keys: "served" | "broken" | "hanging";
  readonly keyRequests: () => number;
  sign(
    claims: JWTPayload,
    options?: { readonly expiresInSeconds?: number; readonly withForeignKey?: boolean },
  ): Promise<string>;
  unsigned(claims: JWTPayload): string;
  close(): Promise<void>;
}

export interface ProtectedService {
  readonly tenant: string;
  readonly backend: string;
  readonly client: string;
  /** The communication service's, whose tokens have the same issuer. */
  readonly resource: string;
}

/** The settings of a service that lets this client and this communication service in, with tokens of this issuer. */
export function protectedBy(
  issuer: TokenIssuer,
  { tenant, backend, client, resource }: ProtectedService,
): Readonly<Record<string, string>> {
  return {
    ENABLE_AUTH_VALIDATION: "true",
    BACKEND_AUTH_CLIENT_ID: backend,
    CLOUD_TENANT_ID: tenant,
    ALLOWED_CLIENT_IDS: client,
    AUTH_JWT_ISSUER: issuer.issuer,
    AUTH_JWKS_URL: issuer.jwksUrl,
    COMM_RESOURCE_ID: resource,
    COMM_JWT_ISSUER: issuer.issuer,
    COMM_JWKS_URL: issuer.jwksUrl,
  };
}

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const [own, foreign] = [createSigningKey("key-1"), createSigningKey("key-1")];
  const keySet = JSON.stringify(await own.keySet());
  let requests = 0;
  const listening = await listen((_request, response) => {
    requests += 1;
    if (issuer.keys === "hanging") return;
    response.statusCode = issuer.keys === "served" ? 200 : 500;
    response.setHeader("content-type", "application/json").end(keySet);
  });
  const url = `http://${listening.host}`;
  const issuer: TokenIssuer = {
    issuer: `${url}/issuer`,
    jwksUrl: `${url}/keys`,
    keys: "served",
    keyRequests: () => requests,
    sign: async (claims, { expiresInSeconds = aDaySeconds, withForeignKey = false } = {}) =>
      (withForeignKey ? foreign : own).sign(
        new SignJWT(claims)
          .setIssuer(issuer.issuer)
          .setIssuedAt()
          .setExpirationTime(Math.floor(Date.now() / 1000) + expiresInSeconds),
      ),
    unsigned: (claims) => new UnsecuredJWT(claims).setIssuer(issuer.issuer).setExpirationTime("5m").encode(),
    close: () => listening.close(),
  };
  return issuer;
}
