/** The telephony platform: it presents a key, and signs what it asks where it has been given a secret (HOOK-1, HOOK-2). */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Settings } from "../config/settings.ts";
import { VoiceError } from "../platform/errors.ts";
import type { NonceStore } from "../state/ports/nonce-store.ts";
import { checkTelephonySignature } from "./telephony-signature.ts";
import type { SignedRequest } from "./telephony-signature.ts";

type TelephonySettings = Pick<
  Settings,
  "enableAuthValidation" | "environment" | "telephonyApiKey" | "telephonyClientSecret"
>;

/** Rejects with `unauthorized`, or with `dependency_not_ready` where no platform could prove itself. */
export async function verifyTelephony(
  request: SignedRequest,
  settings: TelephonySettings,
  { nonces, wallMs }: { readonly nonces: NonceStore; readonly wallMs: number },
): Promise<void> {
  const { telephonyApiKey: apiKey, telephonyClientSecret: secret } = settings;
  if (apiKey === undefined) {
    if (settings.enableAuthValidation || settings.environment === "production")
      throw new VoiceError("dependency_not_ready", "a telephony platform cannot be verified without TELEPHONY_API_KEY");
    return;
  }
  const presented = request.header("x-api-key");
  if (presented === undefined || !isSame(presented, apiKey))
    throw new VoiceError("unauthorized", "the platform presents no valid API key");
  if (secret === undefined) return;
  const { nonce, usableForMs } = checkTelephonySignature(request, { apiKey, secret }, wallMs);
  if (!(await nonces.claim(nonce, usableForMs)))
    throw new VoiceError("unauthorized", "the signature has been used before");
}

/** In constant time, whatever the lengths. */
function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
