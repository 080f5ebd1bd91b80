/**
 * The identity of this process, without the SDK that proves it. The SDK is large, and a process that uses keys for all
 * its services never needs it, so it is loaded when the first token is requested.
 */
import type { EntraCredential, EntraIdentity } from "./entra-credential.ts";

export interface IdentityModule {
  readonly createEntraCredential: (identity: EntraIdentity) => EntraCredential;
}

/** `load` imports `entra-credential.ts`; the app decides how that is bundled. */
export function createProcessIdentity(identity: EntraIdentity, load: () => Promise<IdentityModule>): EntraCredential {
  let credential: Promise<EntraCredential> | undefined;

  async function create(): Promise<EntraCredential> {
    return (await load()).createEntraCredential(identity);
  }

  return {
    async getToken(scope) {
      return (await (credential ??= create())).getToken(scope);
    },
    tokenFor(scope) {
      let token: Promise<() => Promise<string>> | undefined;
      const load = async (): Promise<() => Promise<string>> => (await (credential ??= create())).tokenFor(scope);
      return async () => (await (token ??= load()))();
    },
  };
}
