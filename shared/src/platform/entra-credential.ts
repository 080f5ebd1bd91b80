/**
 * This process's identity in Entra: a service principal if one is configured, else the user logged in to the developer's command line, else
 * the machine's managed identity. Imported only by code that uses the cloud.
 */
import {
  AzureCliCredential,
  ChainedTokenCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  getBearerTokenProvider,
} from "@azure/identity";
import type { TokenSource } from "./access-token.ts";
import { VoiceError } from "./errors.ts";
import { unlessAborted } from "./unless-aborted.ts";

export type EntraIdentity = {
  readonly tenantId?: string | undefined;
  /** The id of the service principal or, without a secret, of a user-assigned managed identity. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /**
   * The command line's login is used in development only: in production it would hide a missing identity behind a slow
   * failure.
   */
  readonly isDevelopment: boolean;
  /** The authority that issues tokens; the public cloud's if absent. */
  readonly authority?: string | undefined;
  /** For one token, all attempts together. */
  readonly timeoutMs?: number | undefined;
};

export type EntraCredential = {
  getToken(scope: string | string[]): Promise<{ readonly token: string; readonly expiresOnTimestamp: number }>;
  readonly tokenFor: TokenSource;
};

/**
 * The chain has no limit of its own: an authority that accepts the connection and never responds would otherwise delay every request that
 * needs a token, whatever limit the request itself has. The machine's identity may take some seconds for its first response.
 */
const defaultTimeoutMs = 10_000;

export function createEntraCredential(identity: EntraIdentity): EntraCredential {
  const { tenantId, clientId, clientSecret, isDevelopment, authority: authorityHost } = identity;
  const { timeoutMs = defaultTimeoutMs } = identity;
  // An authority that is named explicitly is trusted, so the public cloud need not be asked whether it exists.
  const where = authorityHost === undefined ? {} : { authorityHost, disableInstanceDiscovery: true };
  const chain = new ChainedTokenCredential(
    ...(tenantId !== undefined && clientId !== undefined && clientSecret !== undefined
      ? [new ClientSecretCredential(tenantId, clientId, clientSecret, where)]
      : []),
    ...(isDevelopment ? [new AzureCliCredential(tenantId === undefined ? {} : { tenantId })] : []),
    clientId === undefined ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId }),
  );
  const bounded = {
    async getToken(scope: string | string[]) {
      const abortSignal = AbortSignal.timeout(timeoutMs);
      try {
        return await unlessAborted(chain.getToken(scope, { abortSignal }), abortSignal);
      } catch (error) {
        if (!abortSignal.aborted) throw error;
        throw new VoiceError("upstream_timeout", "Entra gave no token in time", { cause: error });
      }
    },
  };
  return { ...bounded, tokenFor: (scope) => getBearerTokenProvider(bounded, scope) };
}
