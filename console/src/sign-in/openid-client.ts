/**
 * Signing in at an OpenID provider: authorization code with PKCE, the way for a page, which can keep no secret
 * (RFC 9700, section 2.1.1). `oauth4webapi` makes and checks the messages.
 */
import * as oauth from "oauth4webapi";
import { z } from "zod";

import type { SignInProvider } from "./sign-in-config.ts";

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** On the wall clock. */
  readonly expiresAtMs: number;
}

/** What has to be remembered while the browser is at the provider. */
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
  /** Where the browser goes to sign out at the provider, too; undefined where there is no such place. */
  signOutAddress(): Promise<string | undefined>;
}

/** Where a provider does not say, for how long a token is good. */
const defaultLifeSeconds = 300;

export function createOpenIdClient(
  { authority, clientId, scope }: SignInProvider,
  /** Registered with the provider. */
  redirectUri: string,
  wallNow: () => number,
): OpenIdClient {
  const client: oauth.Client = { client_id: clientId };
  // The service takes an authority without TLS on loopback alone.
  const options = { [oauth.allowInsecureRequests]: new URL(authority).protocol === "http:" };
  let discovered: Promise<oauth.AuthorizationServer> | undefined;

  async function discover(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(new URL(authority), options);
    // Settings lose a slash at the end, with which some providers write their issuer.
    const written = z.object({ issuer: z.literal(`${authority}/`) }).safeParse(await response.clone().json());
    return oauth.processDiscoveryResponse(new URL(written.data?.issuer ?? authority), response);
  }

  /** Asked once; a failure is not kept. */
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

/** A provider that refused, in a sentence; it is asked in vain for the same reason a second time. */
export function describeRefusal(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return `The sign-in provider refused: ${error.error_description ?? error.error}.`;
  if (error instanceof TypeError)
    return "The sign-in provider does not answer, or does not let this page ask. Try again, or tell whoever runs the service.";
  return "The sign-in could not be completed. Try again.";
}
