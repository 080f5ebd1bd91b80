/**
 * Who may call. The three ids that readiness reports on are read as plain text: the service starts with a bad one, says
 * so at `/readiness` and lets nobody in, which is how the contract words it.
 */
import { flag, httpUrl, listOf, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const authSettings = {
  enableAuthValidation: defaulted(
    "ENABLE_AUTH_VALIDATION",
    flag,
    "false",
    "Whether callers must present a valid Entra token.",
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
  authJwtIssuer: optional(
    "AUTH_JWT_ISSUER",
    httpUrl,
    "Issuer of the callers' tokens; Entra for the tenant without it.",
  ),
  authJwksUrl: optional("AUTH_JWKS_URL", httpUrl, "Where that issuer's keys are; Entra for the tenant without it."),
  telephonyApiKey: secret("TELEPHONY_API_KEY", text, "Key that the telephony platform presents."),
  telephonyClientSecret: secret(
    "TELEPHONY_CLIENT_SECRET",
    text,
    "Base64 secret with which the telephony platform signs its requests.",
  ),
};
