/** An identity provider on loopback: keys behind a URL that can break, and tokens of any kind, right and wrong. */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";

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
  const [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "key-1", alg: "RS256", use: "sig" };
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    if (issuer.keys === "hanging") return;
    response.statusCode = issuer.keys === "served" ? 200 : 500;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [jwk] }));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const issuer: TokenIssuer = {
    issuer: `${url}/issuer`,
    jwksUrl: `${url}/keys`,
    keys: "served",
    keyRequests: () => requests,
    sign: async (claims, { expiresInSeconds = aDaySeconds, withForeignKey = false } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: "key-1" })
        .setIssuer(issuer.issuer)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + expiresInSeconds)
        .sign(withForeignKey ? foreign.privateKey : own.privateKey),
    unsigned: (claims) => new UnsecuredJWT(claims).setIssuer(issuer.issuer).setExpirationTime("5m").encode(),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
  return issuer;
}
