/** Lets a dashboard connect to the external live relay, to receive the updates of one group without being able to send any. */
import { partsOf, withIdentity } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import type { EntraCredential } from "../platform/entra-credential.ts";

export interface GrantedWatch {
  /** Contains the token, so anybody who has it may connect. */
  readonly url: string;
  /** Until when it may be used to connect; existing connections stay open. */
  readonly expiresAtMs: number;
}

export interface WatchAccess {
  /** Rejects with `upstream_unavailable` if the relay does not issue a token in time. */
  grant(group: string, subject: string): Promise<GrantedWatch>;
}

export type WatchAccessTo =
  | { readonly connectionString: string }
  | { readonly endpoint: string; readonly credential: EntraCredential };

export interface WatchAccessModule {
  readonly createWebPubSubWatchAccess: (access: WatchAccessTo, wallNow: () => number) => WatchAccess;
}

/** Undefined if there is no external relay. Its client is imported only if there is one. */
export async function createWatchAccess(
  settings: Settings,
  parts: { readonly identity: EntraCredential; readonly wallNow: () => number },
  load: () => Promise<WatchAccessModule>,
): Promise<WatchAccess | undefined> {
  const { liveRelay } = partsOf(settings);
  if (liveRelay.kind === "none") return undefined;
  const { createWebPubSubWatchAccess } = await load();
  return createWebPubSubWatchAccess(withIdentity(liveRelay.access, parts.identity), parts.wallNow);
}
