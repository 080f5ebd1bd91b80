/** Decides who may call what: open endpoints, clients with Entra tokens, and webhooks with proofs of their own. */
import { bearerToken, type TokenVerifier } from "@voice/shared/auth/token-verifier";
import {
  anonymous,
  requireOperator,
  requireServiceOperator,
  serviceCaller,
  type Caller,
} from "@voice/shared/auth/caller";
import { isSameSecret } from "@voice/shared/auth/same-secret";
import { entraIsKnown, entraRules, isOfClient, requireClient, verifyClient } from "@voice/shared/auth/verify-client";
import { requireNoProof, verifyCommService } from "@voice/shared/auth/verify-comm-service";
import { verifyTwilioForm } from "@voice/shared/auth/verify-twilio";
import { twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import type { ConfigurationProvider } from "@voice/shared/config/configuration-provider";
import type { Settings } from "@voice/shared/config/settings";
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import type { Authorise, Credentials, OnIdentified } from "../dependencies.ts";

/** Event Grid's own application in the public and the US government cloud. It may call its webhook and nothing else. */
const eventGridClientIds = ["4962773b-9cdb-44cf-a8bf-237846a00ab7", "54316b56-3481-47f9-8f30-0300f5542a7b"];

export function createAuthorise(configuration: ConfigurationProvider, verifier: TokenVerifier): Authorise {
  return async (access, credentials, onIdentified = () => undefined) => {
    const now = configuration.settings();
    switch (access) {
      case "open":
        return anonymous;
      case "documentation":
        // In production the API's description is available only to those who may use the service.
        return now.environment === "production" ? verifyClient(tokenOf(credentials), now, verifier) : anonymous;
      case "client":
        return verifyClient(tokenOf(credentials), now, verifier);
      case "operator":
        return requireRole(await verifyClient(tokenOf(credentials), now, verifier), onIdentified);
      case "service-operator": {
        const caller = await verifyClient(tokenOf(credentials), now, verifier);
        onIdentified(caller);
        requireServiceOperator(caller);
        return caller;
      }
      case "event-grid":
        return authoriseEventGrid(configuration, credentials, verifier, onIdentified);
      case "twilio":
        return authoriseTwilio(configuration, credentials);
      case "call-automation":
        return authoriseCallAutomation(now, credentials, verifier);
      default:
        return unreachable(access);
    }
  };
}

function requireRole(caller: Caller, onIdentified: OnIdentified): Caller {
  onIdentified(caller);
  requireOperator(caller);
  return caller;
}

async function authoriseEventGrid(
  configuration: ConfigurationProvider,
  credentials: Credentials,
  verifier: TokenVerifier,
  onIdentified: OnIdentified,
) {
  const settings = configuration.settings();
  if (presentsSecret(settings, credentials)) return serviceCaller("event-grid");
  const token = tokenOf(credentials);
  if (token !== undefined && entraIsKnown(settings)) {
    const payload = await verifier.verify(token, entraRules(settings));
    if (isOfClient(payload, eventGridClientIds)) {
      requireClient(payload, settings, eventGridClientIds);
      return serviceCaller("event-grid");
    }
    return requireRole(requireClient(payload, settings, settings.allowedClientIds), onIdentified);
  }
  const { enabled, loaded } = configuration.status();
  // The secret may be in the store. Event Grid treats a refusal as final, and the call would never be answered.
  if (enabled && !loaded)
    throw new VoiceError("dependency_not_ready", "the store that may have the webhook's secret has not been read");
  if (settings.commWebhookSecrets !== undefined || settings.enableAuthValidation) {
    throw new BadRequestError("unauthorized", "The delivery needs the secret of the event subscription, or a token.", [
      secretMissing,
    ]);
  }
  return requireNoProof(settings, "neither COMM_WEBHOOK_SECRET nor authentication is configured");
}

function authoriseTwilio(configuration: ConfigurationProvider, { headers, form }: Credentials): Caller {
  const settings = configuration.settings();
  const { enabled, loaded } = configuration.status();
  // The token may be in the store, and Twilio would not ask again.
  if (settings.twilioAuthTokens === undefined && enabled && !loaded)
    throw new VoiceError("dependency_not_ready", "the store that may have the auth token has not been read");
  const signature = headers.get(twilioSignatureHeader) ?? undefined;
  return verifyTwilioForm({ target: form?.target ?? "", fields: form?.fields ?? [], signature }, settings);
}

async function authoriseCallAutomation(settings: Settings, credentials: Credentials, verifier: TokenVerifier) {
  if (presentsSecret(settings, credentials)) return serviceCaller("call-automation");
  if (settings.commResourceId === undefined && settings.commWebhookSecrets !== undefined) {
    throw new BadRequestError("unauthorized", "The callback needs the secret.", [secretMissing]);
  }
  return verifyCommService(tokenOf(credentials), settings, verifier);
}

const secretMissing = {
  field: "secret",
  message: "COMM_WEBHOOK_SECRET, in the query or the header x-webhook-secret",
  code: "missing",
};

function tokenOf({ headers }: Credentials): string | undefined {
  return bearerToken(headers.get("authorization"));
}

function presentsSecret({ commWebhookSecrets = [] }: Settings, { headers, query }: Credentials): boolean {
  const given = query.get("secret") ?? headers.get("x-webhook-secret");
  if (given === null) return false;
  return commWebhookSecrets.some((secret) => isSameSecret(given, secret));
}

function unreachable(access: never): never {
  throw new VoiceError("internal_error", `unknown access ${String(access)}`);
}
