/**
 * Authenticates the communication service, which sends signed tokens with its callbacks and when it opens a media
 * socket.
 */
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import { VoiceError } from "../platform/errors.ts";
import type { TokenVerifier } from "./token-verifier.ts";
import { anonymous, serviceCaller, type Caller } from "./caller.ts";

/** Rejects with `unauthorized`, or with `dependency_not_ready` if the real service's tokens cannot be checked. */
export async function verifyCommService(
  token: string | undefined,
  settings: Settings,
  verifier: TokenVerifier,
): Promise<Caller> {
  const { commResourceId, commJwksUrl, commJwtIssuer } = settings;
  if (commResourceId === undefined)
    return requireNoProof(settings, "the communication service cannot be verified without COMM_RESOURCE_ID");
  if (token === undefined) throw new VoiceError("unauthorized", "the communication service presents no token");
  await verifier.verify(token, { jwksUrl: commJwksUrl, issuers: [commJwtIssuer], audiences: [commResourceId] });
  return serviceCaller("call-automation");
}

/** Proof is not required only if the service is local and the real communication service is not configured. */
export function requireNoProof(settings: Settings, problem: string): Caller {
  const { calls } = partsOf(settings);
  const isReal = calls.kind !== "none" && !calls.isEmulated;
  if (settings.environment === "production" || isReal) throw new VoiceError("dependency_not_ready", problem);
  return anonymous;
}
