/** Where the cache is and how to talk to it, from the settings. */
import { isLoopback } from "../../config/kinds.ts";
import type { Settings } from "../../config/settings.ts";
import { identitiesOf } from "../../config/cloud-environment.ts";
import { VoiceError } from "../../platform/errors.ts";
import type { TokenCredential } from "./entra-token.ts";

/** `none`: an open server. `password`: an ACL user or the default one. `entra`: tokens in place of the password. */
export type CacheAuthentication =
  | { readonly type: "none" }
  | { readonly type: "password"; readonly username?: string | undefined; readonly password: string }
  | {
      readonly type: "entra";
      readonly username: string;
      readonly credential: TokenCredential;
      /** The scope of the tokens; if absent, that of the cache in the public cloud. */
      readonly scope?: string | undefined;
    };

export interface CacheEndpoint {
  readonly host: string;
  readonly port: number;
  /** Certificates to trust in addition to the system's, for servers with a private certificate authority. */
  readonly tls: { readonly ca?: string | undefined } | undefined;
  readonly authentication: CacheAuthentication;
  readonly connectionTimeoutMs: number;
  readonly operationTimeoutMs: number;
  /** The most connections to one node. */
  readonly maxConnections: number;
  /** Determined by asking the server, unless it is given. */
  readonly isCluster?: boolean | undefined;
}

export function toCacheEndpoint(settings: Settings, credential: TokenCredential | undefined): CacheEndpoint {
  const { cacheHost: host, cachePort: port } = settings;
  if (host === undefined) throw new VoiceError("internal_error", "no cache is configured");
  return {
    host,
    port,
    tls: (settings.cacheTls ?? !isLoopback(host)) ? {} : undefined,
    authentication: authenticationOf(settings, credential),
    connectionTimeoutMs: settings.cacheConnectionTimeoutMs,
    operationTimeoutMs: settings.cacheOperationTimeoutMs,
    maxConnections: settings.cacheMaxConnections,
    isCluster: settings.cacheCluster,
  };
}

function authenticationOf(settings: Settings, credential: TokenCredential | undefined): CacheAuthentication {
  const { cacheUsername: username, cachePassword: password } = settings;
  if (password !== undefined) return { type: "password", username, password };
  if (username === undefined) return { type: "none" };
  if (credential === undefined) throw new VoiceError("internal_error", "a cache user without a password needs Entra");
  return { type: "entra", username, credential, scope: identitiesOf(settings.cloudEnvironment).cacheScope };
}
