/**
 * Access to a tool server by OAuth client credentials. The protocol's library finds the authorization server, requests a token when the
 * server responds with 401, and repeats the request; a token is retained until it expires, even across lost connections.
 */
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import { OAuthError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { fillInSecrets, type McpOAuth } from "@voice/shared/config/mcp-servers";
import type { Clock } from "@voice/shared/platform/clock";

/** A token that expires while a request is in transit would be rejected. */
const aheadOfExpiryMs = 10_000;

export interface McpAccess extends OAuthClientProvider {
  /** The token that was requested last, whether or not it has expired. */
  readonly lastToken: string | undefined;
}

export function createMcpAccess(oauth: McpOAuth, secrets: ReadonlyMap<string, string>, clock: Clock): McpAccess {
  const { client_secret: clientSecret = "" } = fillInSecrets({ client_secret: oauth.client_secret }, secrets);
  return new StoredClientCredentials({ ...oauth, clientSecret }, clock);
}

/** Whether a connection failed because no token could be obtained, or because the token was rejected. */
export function isAccessProblem(error: unknown): boolean {
  return (
    error instanceof UnauthorizedError ||
    error instanceof OAuthError ||
    (error instanceof Error && "code" in error && error.code === 401)
  );
}

class StoredClientCredentials extends ClientCredentialsProvider implements McpAccess {
  readonly #clock: Clock;
  readonly #tokenUrl: string | undefined;
  readonly #issuer: string;
  #endsAtMs = Number.POSITIVE_INFINITY;

  constructor(oauth: McpOAuth & { readonly clientSecret: string }, clock: Clock) {
    const { client_id: clientId, clientSecret, token_url: tokenUrl, scope } = oauth;
    // The secret goes only to the issuer in the settings, never to one that a tool server names.
    const issuer = oauth.issuer ?? new URL(tokenUrl ?? "").origin;
    super({ clientId, clientSecret, expectedIssuer: issuer, ...(scope !== undefined && { scope }) });
    this.#clock = clock;
    this.#tokenUrl = tokenUrl;
    this.#issuer = issuer;
  }

  get lastToken(): string | undefined {
    return super.tokens()?.access_token;
  }

  override tokens(): OAuthTokens | undefined {
    return this.#clock.now() < this.#endsAtMs ? super.tokens() : undefined;
  }

  override saveTokens(tokens: OAuthTokens): void {
    const { expires_in: seconds } = tokens;
    this.#endsAtMs =
      seconds === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + seconds * 1000 - aheadOfExpiryMs;
    super.saveTokens(tokens);
  }

  /** If the settings name the token endpoint, nothing is discovered. */
  discoveryState(): OAuthDiscoveryState | undefined {
    if (this.#tokenUrl === undefined) return undefined;
    return {
      authorizationServerUrl: this.#issuer,
      authorizationServerMetadata: {
        issuer: this.#issuer,
        authorization_endpoint: this.#tokenUrl,
        token_endpoint: this.#tokenUrl,
        response_types_supported: [],
      },
    };
  }
}
