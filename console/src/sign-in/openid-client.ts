/**
 * Signs in at an OpenID provider with authorization code and PKCE, which suits a page, because a page can keep no
 * secret (RFC 9700, section 2.1.1). `oauth4webapi` creates and validates the messages.
 */
import * as oauth from "oauth4webapi";
import { z } from "zod";

import type { SignInProvider } from "./sign-in-config.ts";

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** In wall-clock time. */
  readonly expiresAtMs: number;
}

/** The state to keep while the browser is at the provider. */
export const pendingSignIn = z.object({
  state: z.string(),
  verifier: z.string(),
  /** The part of the address after `#`. */
  returnTo: z.string(),
});

export type PendingSignIn = z.infer<typeof pendingSignIn>;

export interface OpenIdClient {
  begin(returnTo: string): Promise<{ readonly address: string; readonly pending: PendingSignIn }>;
  complete(address: URL, pending: PendingSignIn): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** The provider's address for signing out there as well; undefined if it has none. */
  signOutAddress(): Promise<string | undefined>;
}

/** A token's life span if the provider does not state it. */
const defaultLifeSeconds = 300;

export function createOpenIdClient(
  { authority, clientId, scope }: SignInProvider,
  /** As registered with the provider. */
  redirectUri: string,
  wallNow: () => number,
): OpenIdClient {
  const client: oauth.Client = { client_id: clientId };
  // The service accepts an authority without TLS only on loopback.
  const options = { [oauth.allowInsecureRequests]: new URL(authority).protocol === "http:" };
  let discovered: Promise<oauth.AuthorizationServer> | undefined;

  async function discover(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(new URL(authority), options);
    // The settings remove a slash at the end, which some providers have in their issuer.
    const written = z.object({ issuer: z.literal(`${authority}/`) }).safeParse(await response.clone().json());
    return oauth.processDiscoveryResponse(new URL(written.data?.issuer ?? authority), response);
  }

  /** Requested once; a failure is not cached. */
  function provider(): Promise<oauth.AuthorizationServer> {
    discovered ??= discover().catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  function toTokens(response: oauth.TokenEndpointResponse, before?: string): Tokens {
    const lifeSeconds = response.expires_in ?? defaultLifeSeconds;
    return {
      accessToken: response.access_token,
      refreshToken: response.refresh_token ?? before,
      expiresAtMs: wallNow() + lifeSeconds * 1000,
    };
  }

  return {
    async begin(returnTo) {
      const { authorization_endpoint: endpoint } = await provider();
      if (endpoint === undefined) throw new Error("The sign-in provider has no page to sign in at.");
      const pending = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier(), returnTo };
      const address = new URL(endpoint);
      const query = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state: pending.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return { address: address.href, pending };
    },

    async complete(address, { state, verifier }) {
      const server = await provider();
      const answer = oauth.validateAuthResponse(server, client, address, state);
      const auth = oauth.None();
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        answer,
        redirectUri,
        verifier,
        options,
      );
      return toTokens(await oauth.processAuthorizationCodeResponse(server, client, response));
    },

    async refresh(refreshToken) {
      const server = await provider();
      const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options);
      return toTokens(await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
    },

    async signOutAddress() {
      const { end_session_endpoint: endpoint } = await provider();
      if (endpoint === undefined) return undefined;
      const address = new URL(endpoint);
      address.searchParams.set("client_id", clientId);
      address.searchParams.set("post_logout_redirect_uri", redirectUri);
      return address.href;
    },
  };
}

/** Explains in a sentence why signing in failed. */
export function describeRefusal(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return `The sign-in provider refused: ${error.error_description ?? error.error}.`;
  if (error instanceof TypeError)
    return "The sign-in provider does not answer, or does not let this page ask. Try again, or tell your administrator.";
  return "The sign-in could not be completed. Try again.";
}
