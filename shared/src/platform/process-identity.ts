/**
 * The identity of this process, without the SDK that proves it: the SDK is large, and a process whose services all take
 * keys never needs it. It is loaded when the first token is asked for.
 */
import type { EntraCredential, EntraIdentity } from "./entra-credential.ts";

export interface IdentityModule {
  readonly createEntraCredential: (identity: EntraIdentity) => EntraCredential;
}

/** `load` imports `entra-credential.ts`; how that is bundled is the app's affair. */
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
