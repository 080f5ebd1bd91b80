/** Where users of the service's page sign in (ACCESS-16). Pure. */
import { identitiesOf } from "../config/cloud-environment.ts";
import type { Settings } from "../config/settings.ts";

type SignInSettings = Pick<
  Settings,
  | "enableAuthValidation"
  | "cloudEnvironment"
  | "cloudTenantId"
  | "backendAuthClientId"
  | "authJwtIssuer"
  | "signInClientId"
  | "signInAuthority"
  | "signInScope"
  | "signInOrigins"
>;

export interface SignInProvider {
  /** The issuer; its discovery document stands below it. */
  readonly authority: string;
  readonly clientId: string;
  readonly scope: string;
}

/** Undefined if nobody has to sign in, or the page is not registered with a provider. */
export function signInProvider(settings: SignInSettings): SignInProvider | undefined {
  const { enableAuthValidation, signInClientId: clientId, backendAuthClientId, signInScope } = settings;
  if (!enableAuthValidation || clientId === undefined) return undefined;
  const { authority: cloud } = identitiesOf(settings.cloudEnvironment);
  return {
    authority: settings.signInAuthority ?? settings.authJwtIssuer ?? `${cloud}/${settings.cloudTenantId}/v2.0`,
    clientId,
    scope: signInScope ?? `openid offline_access api://${backendAuthClientId}/.default`,
  };
}

/** The origins other than its own that the page has to reach, for its content security policy. */
export function signInOrigins(settings: SignInSettings): readonly string[] {
  const provider = signInProvider(settings);
  if (provider === undefined) return [];
  return [...new Set([provider.authority, ...settings.signInOrigins].map((url) => new URL(url).origin))];
}
