/** Entra on loopback, for one tenant: key set, client credentials, interactive sign-in and managed identity. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import { SignJWT } from "jose";
import type { JWTPayload } from "jose";
import { sendJson, startService } from "../emulated-service.ts";
import type { Listening } from "../listen.ts";
import { createSigningKey } from "../signing-key.ts";
import { PeopleSigningIn } from "./people.ts";
import type { Person } from "./people.ts";

export type IdentityEmulatorOptions = {
  readonly port?: number;
  /** Service principals, secret by client id. */
  readonly clients?: Readonly<Record<string, string>>;
  /** Who may sign in interactively, and the audience of their tokens. */
  readonly people?: readonly Person[];
  readonly audience?: string;
  readonly clock?: Clock;
};

/** The secret that callers of the managed identity endpoint must present. */
const managedIdentitySecret = "emulated-identity";
const lifeSeconds = 3_600;

export function startIdentityEmulator(options: IdentityEmulatorOptions = {}): Promise<IdentityEmulator> {
  return startService((listening) => new IdentityEmulator(options, listening), options.port);
}

export class IdentityEmulator {
  readonly tenantId = "11111111-1111-4111-8111-111111111111";
  readonly entra: { readonly issuer: string; readonly jwksUrl: string; readonly tokenUrl: string };
  /** Environment variables that make `ManagedIdentityCredential` use this endpoint. */
  readonly managedIdentity: { readonly IDENTITY_ENDPOINT: string; readonly IDENTITY_HEADER: string };
  readonly #base: string;
  readonly #listening: Listening;
  readonly #key = createSigningKey("emulated-1");
  readonly #clients: Readonly<Record<string, string>>;
  readonly #people: PeopleSigningIn;
  readonly #audience: string;
  readonly #clock: Clock;
  readonly #requests: string[] = [];
  #failure: number | undefined;

  constructor(options: IdentityEmulatorOptions, listening: Listening) {
    const { clients = {}, people = [], audience = "", clock = systemClock } = options;
    const { tenantId } = this;
    const base = `http://${listening.host}`;
    this.#base = base;
    this.#listening = listening;
    this.#clients = clients;
    this.#people = new PeopleSigningIn(people);
    this.#audience = audience;
    this.#clock = clock;
    this.entra = {
      issuer: `${base}/${tenantId}/v2.0`,
      jwksUrl: `${base}/${tenantId}/discovery/v2.0/keys`,
      tokenUrl: `${base}/${tenantId}/oauth2/v2.0/token`,
    };
    this.managedIdentity = { IDENTITY_ENDPOINT: `${base}/msi/token`, IDENTITY_HEADER: managedIdentitySecret };
  }

  /** Signs a token with these claims, which override those that the issuer sets by itself. */
  issueEntraToken(claims: JWTPayload = {}): Promise<string> {
    const now = this.#nowSeconds();
    const { issuer: iss } = this.entra;
    const always = { iss, tid: this.tenantId, ver: "2.0", iat: now, nbf: now, exp: now + lifeSeconds };
    return this.#key.sign(new SignJWT({ ...always, ...claims }));
  }

  /** Revokes all refresh tokens. */
  forgetPeople(): void {
    this.#people.forget();
  }

  /** Answers every request with this status, until called again without one. */
  failWith(status?: number): void {
    this.#failure = status;
  }

  requests(): readonly string[] {
    return this.#requests;
  }

  close(): Promise<void> {
    return this.#listening.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { tenantId } = this;
    const url = new URL(request.url ?? "/", this.#base);
    const asked = `${request.method} ${url.pathname}`;
    this.#requests.push(asked);
    if (this.#failure !== undefined) return reply(response, this.#failure, { error: "temporarily_unavailable" });
    switch (asked) {
      case `GET /${tenantId}/v2.0/.well-known/openid-configuration`:
        return reply(response, 200, this.#discovery());
      case `GET /${tenantId}/oauth2/v2.0/authorize`:
        return this.#askWho(url, response);
      case `GET /${tenantId}/discovery/v2.0/keys`:
        return reply(response, 200, await this.#key.keySet());
      case `POST /${tenantId}/oauth2/v2.0/token`:
        return await this.#grantToClient(new URLSearchParams(await readText(request)), response);
      case "GET /msi/token":
        return await this.#grantToMachine(request, url, response);
      default:
        return reply(response, 404, { error: "not_found" });
    }
  }

  #discovery() {
    const { issuer, jwksUrl: jwks_uri, tokenUrl: token_endpoint } = this.entra;
    const authorization_endpoint = `${this.#base}/${this.tenantId}/oauth2/v2.0/authorize`;
    return { issuer, jwks_uri, token_endpoint, authorization_endpoint };
  }

  #askWho(url: URL, response: ServerResponse): void {
    const next = this.#people.authorize(url.searchParams);
    if (next !== undefined) response.writeHead(302, { location: next.href }).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(this.#people.page(url));
  }

  async #grantToPerson(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const exchange = this.#people.exchange(form);
    if ("error" in exchange) return reply(response, 400, { error: exchange.error });
    const { person, clientId, scope } = exchange.grant;
    const { subject: sub, roles, name, azp = clientId } = person;
    const accessToken = await this.issueEntraToken({ aud: this.#audience, azp, sub, roles: [...roles] });
    const idToken = await this.issueEntraToken({ aud: clientId, sub, name });
    const token = { token_type: "Bearer", expires_in: lifeSeconds, access_token: accessToken, scope };
    return reply(response, 200, { ...token, id_token: idToken, refresh_token: exchange.refreshToken });
  }

  async #grantToClient(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const clientId = form.get("client_id") ?? "";
    const secret = this.#clients[clientId];
    if (form.get("grant_type") === "authorization_code" || form.get("grant_type") === "refresh_token")
      return this.#grantToPerson(form, response);
    if (form.get("grant_type") !== "client_credentials")
      return reply(response, 400, { error: "unsupported_grant_type" });
    if (secret === undefined || secret !== form.get("client_secret"))
      return reply(response, 401, { error: "invalid_client" });
    const aud = (form.get("scope") ?? "").replace(/\/\.default$/, "");
    const token = await this.issueEntraToken({ aud, azp: clientId, sub: clientId });
    return reply(response, 200, { token_type: "Bearer", expires_in: lifeSeconds, access_token: token });
  }

  /** The managed identity endpoint as App Service and Container Apps serve it. */
  async #grantToMachine(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (request.headers["x-identity-header"] !== this.managedIdentity.IDENTITY_HEADER)
      return reply(response, 401, { error: "unauthorized" });
    const resource = url.searchParams.get("resource") ?? "";
    const token = await this.issueEntraToken({ aud: resource, azp: "managed-identity", sub: "managed-identity" });
    return reply(response, 200, {
      token_type: "Bearer",
      expires_on: String(this.#nowSeconds() + lifeSeconds),
      resource,
      access_token: token,
    });
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock.wallNow() / 1000);
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.setHeader("access-control-allow-origin", "*"); // pages of any origin sign in here
  sendJson(response, status, body);
}
