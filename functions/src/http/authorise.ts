/** Who may call what (design of access: open, clients with Entra tokens, webhooks with their own proof). */
import { createHash, timingSafeEqual } from "node:crypto";
import type { JWTPayload } from "jose";
import type { Settings } from "@voice/shared/config/settings";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Authorise, Credentials } from "../dependencies.ts";
import { authConfigurationProblem, isGuid } from "../services/auth-configuration.ts";
import { bearerToken, type TokenRules, type TokenVerifier } from "./token-verifier.ts";

/** Event Grid's own application in the public and the US government cloud; it may call its webhook and nothing else. */
const eventGridClientIds = ["4962773b-9cdb-44cf-a8bf-237846a00ab7", "54316b56-3481-47f9-8f30-0300f5542a7b"];

const anonymous = { subject: "anonymous" };

export function createAuthorise(settings: () => Settings, verifier: TokenVerifier): Authorise {
  return async (access, credentials) => {
    const now = settings();
    switch (access) {
      case "open":
        return anonymous;
      case "client":
        return authoriseClient(now, credentials, verifier);
      case "event-grid":
        return authoriseEventGrid(now, credentials, verifier);
      case "call-automation":
        return authoriseCallAutomation(now, credentials, verifier);
      default:
        return unreachable(access);
    }
  };
}

async function authoriseClient(settings: Settings, { headers }: Credentials, verifier: TokenVerifier) {
  if (!settings.enableAuthValidation) return anonymous;
  requireUsableConfiguration(settings);
  const token = bearerToken(headers);
  if (token === undefined) throw new VoiceError("unauthorized", "no bearer token");
  return requireClient(await verifier.verify(token, entraRules(settings)), settings, settings.allowedClientIds);
}

async function authoriseEventGrid(settings: Settings, credentials: Credentials, verifier: TokenVerifier) {
  if (presentsSecret(settings, credentials)) return { subject: "event-grid" };
  const token = bearerToken(credentials.headers);
  if (token !== undefined && entraIsKnown(settings)) {
    const payload = await verifier.verify(token, entraRules(settings));
    return requireClient(payload, settings, [...eventGridClientIds, ...settings.allowedClientIds]);
  }
  if (settings.commWebhookSecret !== undefined || settings.enableAuthValidation) {
    throw new VoiceError("unauthorized", "the webhook presents neither the secret nor a token");
  }
  return requireNoProof(settings, "neither COMM_WEBHOOK_SECRET nor authentication is configured");
}

async function authoriseCallAutomation(settings: Settings, credentials: Credentials, verifier: TokenVerifier) {
  if (presentsSecret(settings, credentials)) return { subject: "call-automation" };
  const { commResourceId, commJwksUrl, commJwtIssuer } = settings;
  if (commResourceId !== undefined) {
    const token = bearerToken(credentials.headers);
    if (token === undefined) throw new VoiceError("unauthorized", "the callback presents no token");
    const rules = { jwksUrl: commJwksUrl, issuers: [commJwtIssuer], audiences: [commResourceId] };
    await verifier.verify(token, rules);
    return { subject: "call-automation" };
  }
  if (settings.commWebhookSecret !== undefined) {
    throw new VoiceError("unauthorized", "the callback presents neither the secret nor a token");
  }
  return requireNoProof(settings, "callbacks cannot be verified without COMM_RESOURCE_ID");
}

/** Only a service on this machine, without the real communication service behind it, goes without proof. */
function requireNoProof(settings: Settings, problem: string) {
  const isReal = settings.commEndpoint !== undefined || settings.commConnectionString !== undefined;
  if (settings.environment === "production" || isReal) throw new VoiceError("dependency_not_ready", problem);
  return anonymous;
}

function requireUsableConfiguration(settings: Settings): void {
  const problem = authConfigurationProblem(settings);
  if (problem !== undefined) throw new VoiceError("dependency_not_ready", problem);
}

function requireClient(payload: JWTPayload, settings: Settings, allowed: readonly string[]) {
  if (!sameId(payload["tid"], settings.cloudTenantId)) throw new VoiceError("forbidden", "token of another tenant");
  // `azp` in version 2 tokens, `appid` in version 1.
  const client = payload["azp"] ?? payload["appid"];
  if (!allowed.filter(isGuid).some((id) => sameId(client, id))) {
    throw new VoiceError("forbidden", "the client application is not on the allow-list");
  }
  return { subject: payload.sub ?? String(client) };
}

/** Entra issues both forms, by the version that the API's registration asks for. */
function entraRules({ cloudTenantId, backendAuthClientId, authJwksUrl, authJwtIssuer }: Settings): TokenRules {
  const authority = "https://login.microsoftonline.com";
  const issuers = [`${authority}/${cloudTenantId}/v2.0`, `https://sts.windows.net/${cloudTenantId}/`];
  return {
    jwksUrl: authJwksUrl ?? `${authority}/${cloudTenantId}/discovery/v2.0/keys`,
    issuers: authJwtIssuer === undefined ? issuers : [authJwtIssuer, authJwtIssuer.replace(/\/$/, "")],
    audiences: [`${backendAuthClientId}`, `api://${backendAuthClientId}`],
  };
}

function entraIsKnown({ backendAuthClientId, cloudTenantId }: Settings): boolean {
  return isGuid(backendAuthClientId ?? "") && isGuid(cloudTenantId ?? "");
}

function presentsSecret({ commWebhookSecret }: Settings, { headers, query }: Credentials): boolean {
  const given = query.get("secret") ?? headers.get("x-webhook-secret");
  if (commWebhookSecret === undefined || given === null) return false;
  // Digests have one length, so the comparison takes the same time for every guess.
  return timingSafeEqual(digest(given), digest(commWebhookSecret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function sameId(one: unknown, other: string | undefined): boolean {
  return typeof one === "string" && other !== undefined && one.toLowerCase() === other.toLowerCase();
}

function unreachable(access: never): never {
  throw new VoiceError("internal_error", `unknown access ${String(access)}`);
}
