/** Checks whether authentication, if it is on, is configured so that anybody can pass it. */
import type { Settings } from "../config/settings.ts";

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type AuthSettings = Pick<
  Settings,
  "enableAuthValidation" | "backendAuthClientId" | "cloudTenantId" | "allowedClientIds"
>;

/** The problem, worded for the operator; undefined if authentication is off, or if it can work. */
export function authConfigurationProblem(settings: AuthSettings): string | undefined {
  if (!settings.enableAuthValidation) return undefined;
  const { backendAuthClientId, cloudTenantId, allowedClientIds } = settings;
  const problems = [
    idProblem("BACKEND_AUTH_CLIENT_ID", backendAuthClientId),
    idProblem("CLOUD_TENANT_ID", cloudTenantId),
    allowListProblem(allowedClientIds),
  ].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.join("; ");
}

export function isGuid(value: string): boolean {
  return guid.test(value);
}

function idProblem(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return `${name} is not set`;
  return isGuid(value) ? undefined : `${name} is not a valid GUID`;
}

function allowListProblem(ids: readonly string[]): string | undefined {
  if (ids.length === 0) return "ALLOWED_CLIENT_IDS is empty - at least one client ID required";
  return ids.some(isGuid) ? undefined : "ALLOWED_CLIENT_IDS holds no valid GUID";
}
