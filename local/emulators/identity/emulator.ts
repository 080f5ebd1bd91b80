/**
 * The issuers that the product trusts or asks, on loopback: Entra for one tenant (key set, client credentials, managed
 * identity) and the communication service (key set for callbacks and media sockets).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { JWTPayload } from "jose";
import { listen } from "../listen.ts";
import { SigningKeys } from "./signing-keys.ts";

export type IdentityEmulatorOptions = {
  readonly port?: number;
  readonly tenantId?: string;
  /** Service principals, secret by client id. */
  readonly clients?: Readonly<Record<string, string>>;
  /** What a caller of the managed identity endpoint must present. */
  readonly managedIdentitySecret?: string;
  readonly clock?: Clock;
};

export type IdentityEmulator = {
  readonly tenantId: string;
  readonly entra: { readonly issuer: string; readonly jwksUrl: string; readonly tokenUrl: string };
  readonly communication: { readonly issuer: string; readonly jwksUrl: string };
  /** The environment that makes `ManagedIdentityCredential` ask here. */
  readonly managedIdentity: { readonly IDENTITY_ENDPOINT: string; readonly IDENTITY_HEADER: string };
  /** Claims are added to, and override, those that the issuer always sets. */
  issueEntraToken(claims?: JWTPayload): Promise<string>;
  issueCommunicationToken(claims?: JWTPayload): Promise<string>;
  rotateKeys(): Promise<void>;
  /** Every request is answered with this status until it is called again without one. */
  failWith(status?: number): void;
  requests(): readonly string[];
  close(): Promise<void>;
};

const defaultTenantId = "11111111-1111-4111-8111-111111111111";
const lifeSeconds = 3_600;

export async function startIdentityEmulator(options: IdentityEmulatorOptions = {}): Promise<IdentityEmulator> {
  const { tenantId = defaultTenantId, clients = {}, managedIdentitySecret = "emulated-identity" } = options;
  const { clock = systemClock } = options;
  const entraKeys = await SigningKeys.create();
  const communicationKeys = await SigningKeys.create();
  const requests: string[] = [];
  let failure: number | undefined;

  const listening = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }, options.port);
  const base = `http://${listening.host}`;
  const entraIssuer = `${base}/${tenantId}/v2.0`;

  function nowSeconds(): number {
    return Math.floor(clock.wallNow() / 1000);
  }

  function issueEntraToken(claims: JWTPayload = {}): Promise<string> {
    const now = nowSeconds();
    const always = { iss: entraIssuer, tid: tenantId, ver: "2.0", iat: now, nbf: now, exp: now + lifeSeconds };
    return entraKeys.sign({ ...always, ...claims });
  }

  function issueCommunicationToken(claims: JWTPayload = {}): Promise<string> {
    const now = nowSeconds();
    return communicationKeys.sign({ iss: `${base}/calling`, iat: now, nbf: now, exp: now + 300, ...claims });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", base);
    requests.push(`${request.method} ${url.pathname}`);
    if (failure !== undefined) return reply(response, failure, { error: "temporarily_unavailable" });
    switch (`${request.method} ${url.pathname}`) {
      case `GET /${tenantId}/v2.0/.well-known/openid-configuration`:
        return reply(response, 200, {
          issuer: entraIssuer,
          jwks_uri: `${base}/${tenantId}/discovery/v2.0/keys`,
          token_endpoint: `${base}/${tenantId}/oauth2/v2.0/token`,
        });
      case `GET /${tenantId}/discovery/v2.0/keys`:
        return reply(response, 200, entraKeys.published());
      case `POST /${tenantId}/oauth2/v2.0/token`:
        return await grantToClient(new URLSearchParams(await readText(request)), response);
      case "GET /msi/token":
        return await grantToMachine(request, url, response);
      case "GET /calling/.well-known/acsopenidconfiguration":
        return reply(response, 200, { issuer: `${base}/calling`, jwks_uri: `${base}/calling/keys` });
      case "GET /calling/keys":
        return reply(response, 200, communicationKeys.published());
      default:
        return reply(response, 404, { error: "not_found" });
    }
  }

  async function grantToClient(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const clientId = form.get("client_id") ?? "";
    if (form.get("grant_type") !== "client_credentials")
      return reply(response, 400, { error: "unsupported_grant_type" });
    if (clients[clientId] === undefined || clients[clientId] !== form.get("client_secret")) {
      return reply(response, 401, { error: "invalid_client" });
    }
    const aud = (form.get("scope") ?? "").replace(/\/\.default$/, "");
    const token = await issueEntraToken({ aud, azp: clientId, sub: clientId });
    return reply(response, 200, { token_type: "Bearer", expires_in: lifeSeconds, access_token: token });
  }

  /** As App Service and Container Apps serve it. */
  async function grantToMachine(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (request.headers["x-identity-header"] !== managedIdentitySecret)
      return reply(response, 401, { error: "unauthorized" });
    const resource = url.searchParams.get("resource") ?? "";
    const token = await issueEntraToken({ aud: resource, azp: "managed-identity", sub: "managed-identity" });
    return reply(response, 200, {
      token_type: "Bearer",
      expires_on: String(nowSeconds() + lifeSeconds),
      resource,
      access_token: token,
    });
  }

  return {
    tenantId,
    entra: {
      issuer: entraIssuer,
      jwksUrl: `${base}/${tenantId}/discovery/v2.0/keys`,
      tokenUrl: `${base}/${tenantId}/oauth2/v2.0/token`,
    },
    communication: { issuer: `${base}/calling`, jwksUrl: `${base}/calling/keys` },
    managedIdentity: { IDENTITY_ENDPOINT: `${base}/msi/token`, IDENTITY_HEADER: managedIdentitySecret },
    issueEntraToken,
    issueCommunicationToken,
    rotateKeys: async () => {
      await Promise.all([entraKeys.rotate(), communicationKeys.rotate()]);
    },
    failWith: (status) => {
      failure = status;
    },
    requests: () => requests,
    close: () => listening.close(),
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}
