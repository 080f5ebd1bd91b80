/**
 * This process's identity in Entra: a service principal if one is configured, else the user logged in to the
 * developer's command line, else the machine's managed identity. Imported only by code that talks to the cloud.
 */
import {
  AzureCliCredential,
  ChainedTokenCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  getBearerTokenProvider,
} from "@azure/identity";
import type { TokenSource } from "./access-token.ts";

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
};

export type EntraCredential = {
  getToken(scope: string | string[]): Promise<{ readonly token: string; readonly expiresOnTimestamp: number }>;
  readonly tokenFor: TokenSource;
};

export function createEntraCredential(identity: EntraIdentity): EntraCredential {
  const { tenantId, clientId, clientSecret, isDevelopment, authority: authorityHost } = identity;
  const where = authorityHost === undefined ? {} : { authorityHost };
  const chain = new ChainedTokenCredential(
    ...(tenantId !== undefined && clientId !== undefined && clientSecret !== undefined
      ? [new ClientSecretCredential(tenantId, clientId, clientSecret, where)]
      : []),
    ...(isDevelopment ? [new AzureCliCredential(tenantId === undefined ? {} : { tenantId })] : []),
    clientId === undefined ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId }),
  );
  return {
    getToken: (scope) => chain.getToken(scope),
    tokenFor: (scope) => getBearerTokenProvider(chain, scope),
  };
}
