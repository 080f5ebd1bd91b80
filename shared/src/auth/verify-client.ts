/**
 * Authenticates clients of our own API by Entra tokens of our tenant, for this API, from an allow-listed application.
 */
import { identitiesOf } from "../config/cloud-environment.ts";
import type { JWTPayload } from "jose";
import type { Settings } from "../config/settings.ts";
import { BadRequestError, VoiceError } from "../platform/errors.ts";
import { authConfigurationProblem, isGuid } from "./auth-configuration.ts";
import { anonymous, type Caller } from "./caller.ts";
import { tenantForm } from "./tenant.ts";
import type { TokenRules, TokenVerifier } from "./token-verifier.ts";

/** Rejects with `unauthorized` or `forbidden`, or with `dependency_not_ready` if tokens cannot be checked at all. */
export async function verifyClient(
  token: string | undefined,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<Caller> {
  if (!settings.enableAuthValidation) return anonymous;
  const problem = authConfigurationProblem(settings);
  if (problem !== undefined) throw new VoiceError("dependency_not_ready", problem);
  if (token === undefined) throw new VoiceError("unauthorized", "no bearer token");
  return requireClient(await verifier.verify(token, entraRules(settings)), settings, settings.allowedClientIds);
}

export function requireClient(payload: JWTPayload, settings: Settings, allowed: readonly string[]): Caller {
  // Only Entra has tenants; with other providers the issuer alone distinguishes them.
  const isWithoutTenant = settings.authJwtIssuer !== undefined && payload["tid"] === undefined;
  if (!isWithoutTenant && !sameId(payload["tid"], settings.cloudTenantId))
    throw new BadRequestError("forbidden", "The access token was issued in another tenant.", [
      { field: "tid", message: "Not the tenant of CLOUD_TENANT_ID", code: "tenant_not_allowed" },
    ]);
  if (!isOfClient(payload, allowed)) {
    throw new BadRequestError("forbidden", "The application that the access token was issued to may not do this.", [
      { field: "azp", message: "Not listed in ALLOWED_CLIENT_IDS", code: "client_not_allowed" },
    ]);
  }
  return toCaller(payload, settings);
}

/** Whether the token was issued to one of these applications. */
export function isOfClient(payload: JWTPayload, ids: readonly string[]): boolean {
  return ids.filter(isGuid).some((id) => sameId(clientOf(payload), id));
}

/** `azp` in Entra's version 2 tokens and those of OpenID providers, `appid` in Entra's version 1, `client_id` in RFC 9068. */
function clientOf(payload: JWTPayload): unknown {
  return payload["azp"] ?? payload["appid"] ?? payload["client_id"];
}

function toCaller(payload: JWTPayload, settings: Settings): Caller {
  const { sub: subject = String(clientOf(payload)), roles, exp } = payload;
  if (subject === anonymous.subject)
    throw new BadRequestError(
      "forbidden",
      "The access token's subject is the name of callers without authentication.",
      [{ field: "sub", message: `May not be "${anonymous.subject}"`, code: "subject_not_allowed" }],
    );
  const { operatorRole, operatorSubjects, callRole, agentRole, publishRole } = settings;
  const hasRole = (role: string): boolean => Array.isArray(roles) && roles.includes(role);
  const isOperator = hasRole(operatorRole) || operatorSubjects.includes(subject);
  const tenant = tenantOf(payload, settings, subject);
  return {
    subject,
    ...(tenant !== undefined && { tenant }),
    isOperator,
    mayPlaceCalls: isOperator || callRole === undefined || hasRole(callRole),
    mayMakeAgents: isOperator || agentRole === undefined || hasRole(agentRole),
    mayPublish: isOperator && tenant === undefined && (publishRole === undefined || hasRole(publishRole)),
    tokenExpiresAtMs: exp === undefined ? undefined : exp * 1000,
  };
}

/** TENANT-1. Undefined where there is one tenant, and for those who run the service for all of them. */
function tenantOf(payload: JWTPayload, { tenantClaim, operatorSubjects }: Settings, subject: string) {
  if (tenantClaim === undefined) return undefined;
  const tenant = payload[tenantClaim];
  if (tenant === undefined && operatorSubjects.includes(subject)) return undefined;
  if (typeof tenant === "string" && tenantForm.test(tenant)) return tenant;
  throw new BadRequestError("forbidden", "The access token names no tenant.", [
    { field: "tenant", message: "Not in the claim of TENANT_CLAIM", code: "tenant_missing" },
  ]);
}

/** Entra uses one form or the other, depending on the token version in the API's registration. */
export function entraRules(settings: Settings): TokenRules {
  const { cloudTenantId, backendAuthClientId, authJwksUrl, authJwtIssuer } = settings;
  const { authority } = identitiesOf(settings.cloudEnvironment);
  const issuers = [`${authority}/${cloudTenantId}/v2.0`, `https://sts.windows.net/${cloudTenantId}/`];
  return {
    jwksUrl: authJwksUrl ?? `${authority}/${cloudTenantId}/discovery/v2.0/keys`,
    issuers: authJwtIssuer === undefined ? issuers : [authJwtIssuer, `${authJwtIssuer}/`],
    audiences: [`${backendAuthClientId}`, `api://${backendAuthClientId}`],
  };
}

export function entraIsKnown({ backendAuthClientId, cloudTenantId }: Settings): boolean {
  return isGuid(backendAuthClientId ?? "") && isGuid(cloudTenantId ?? "");
}

function sameId(one: unknown, other: string | undefined): boolean {
  return typeof one === "string" && other !== undefined && one.toLowerCase() === other.toLowerCase();
}
