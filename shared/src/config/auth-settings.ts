/**
 * Settings for authentication. The three ids that readiness reports on are read as plain text because the contract
 * demands it: with an invalid one the service starts, reports it at `/readiness`, and lets nobody in.
 */
import { destinationRules } from "./allowed-destinations.ts";
import { exactHttpUrl, flag, httpUrl, integer, listOf, text } from "./kinds.ts";
import { defaulted, optional } from "./setting.ts";

export const authSettings = {
  enableAuthValidation: defaulted(
    "ENABLE_AUTH_VALIDATION",
    flag,
    "false",
    "Whether callers must present a valid Entra token.",
  ),
  allowUnauthenticatedProduction: defaulted(
    "ALLOW_UNAUTHENTICATED_PRODUCTION",
    flag,
    "false",
    "Lets production start with authentication off, so that anybody who reaches it can place calls and read conversations.",
  ),
  backendAuthClientId: optional(
    "BACKEND_AUTH_CLIENT_ID",
    text,
    "GUID of this API's app registration; the tokens' audience.",
  ),
  cloudTenantId: optional("CLOUD_TENANT_ID", text, "GUID of the tenant: of the tokens, and of the service principal."),
  allowedClientIds: defaulted(
    "ALLOWED_CLIENT_IDS",
    listOf(text),
    "",
    "GUIDs of the client applications that may call.",
  ),
  operatorRole: defaulted(
    "OPERATOR_ROLE",
    text,
    "Voice.Operator",
    "App role of operators, who see and change everybody's sessions and calls; in the `roles` claim of their tokens.",
  ),
  operatorSubjects: defaulted(
    "OPERATOR_SUBJECTS",
    listOf(text),
    "",
    "Subjects (`sub` claims) who are operators without the role, for instance a backend's identity.",
  ),
  tenantClaim: optional(
    "TENANT_CLAIM",
    text,
    "Claim of the tokens that names the tenant, where one service has several tenants, who do not see each other's sessions and calls. Tokens without it are then refused, except those of OPERATOR_SUBJECTS, who run the whole service. If not set, there is one tenant.",
  ),
  callRole: optional(
    "CALL_ROLE",
    text,
    "App role of clients that may place phone calls, besides operators. If not set, every authenticated client may.",
  ),
  agentRole: optional(
    "AGENT_ROLE",
    text,
    "App role of clients that may make agents and scenarios for their sessions, besides operators. If not set, every authenticated client may.",
  ),
  publishRole: optional(
    "PUBLISH_ROLE",
    text,
    "App role of operators who may publish agents and scenarios for everybody. If not set, every operator may.",
  ),
  callAllowedDestinations: optional(
    "CALL_ALLOWED_DESTINATIONS",
    destinationRules,
    "Where clients and operators may have calls go: `US,DE,+4420`. Emergency, short, premium-rate and special-service numbers are refused whatever it says. If not set: nowhere, except in development with the telephone network of this machine, where it is `any`. Numbers in COMM_DESTINATIONS are the settings' own and are not asked about.",
  ),
  maxCallsPerHour: defaulted(
    "MAX_CALLS_PER_HOUR",
    integer(1, 1_000_000),
    "300",
    "How many phone calls one client may place in an hour.",
  ),
  maxCallsAtOnce: defaulted(
    "MAX_CALLS_AT_ONCE",
    integer(1, 100_000),
    "50",
    "How many phone calls placed by one client may be under way at the same time.",
  ),
  maxServiceCallsPerHour: defaulted(
    "MAX_SERVICE_CALLS_PER_HOUR",
    integer(1, 1_000_000),
    "3000",
    "How many phone calls all clients together may place in an hour.",
  ),
  maxServiceCallsAtOnce: defaulted(
    "MAX_SERVICE_CALLS_AT_ONCE",
    integer(1, 100_000),
    "200",
    "How many phone calls placed by clients may be under way at the same time.",
  ),
  authJwtIssuer: optional(
    "AUTH_JWT_ISSUER",
    httpUrl,
    "Issuer of the callers' tokens. If not set: Entra, for the tenant.",
  ),
  authJwksUrl: optional(
    "AUTH_JWKS_URL",
    exactHttpUrl,
    "URL of that issuer's keys (JWKS). If not set: Entra's, for the tenant.",
  ),
  signInClientId: optional(
    "SIGN_IN_CLIENT_ID",
    text,
    "Client id of the console's own registration, a public client (authorization code with PKCE); list it in ALLOWED_CLIENT_IDS, too. If not set, nobody can sign in to the console.",
  ),
  signInAuthority: optional(
    "SIGN_IN_AUTHORITY",
    httpUrl,
    "OpenID provider at which people sign in to the console. If not set: AUTH_JWT_ISSUER, or else Entra for the tenant.",
  ),
  signInScope: optional(
    "SIGN_IN_SCOPE",
    text,
    "Scopes that the console asks the provider for. If not set: `openid offline_access api://<BACKEND_AUTH_CLIENT_ID>/.default`.",
  ),
  signInOrigins: defaulted(
    "SIGN_IN_ORIGINS",
    listOf(httpUrl),
    "",
    "Further origins that the console may reach to sign in, where a provider has its token endpoint elsewhere than its issuer.",
  ),
};
