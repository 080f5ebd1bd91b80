/**
 * Authenticates the telephony platform: it presents a key, and signs its requests if it has been given a secret
 * (HOOK-1, HOOK-2).
 */
import type { TelephonyKey } from "../config/telephony-keys.ts";
import type { Settings } from "../config/settings.ts";
import { VoiceError } from "../platform/errors.ts";
import type { NonceStore } from "../state/records/nonce-store.ts";
import { isSameSecret } from "./same-secret.ts";
import { checkTelephonySignature } from "./telephony-signature.ts";
import type { CheckedSignature, SignedRequest } from "./telephony-signature.ts";

type TelephonySettings = Pick<
  Settings,
  "enableAuthValidation" | "environment" | "telephonyApiKey" | "telephonyClientSecret" | "telephonyKeys"
>;

/** Rejects with `unauthorized`, or with `dependency_not_ready` if no platform key is configured. */
export async function verifyTelephony(
  request: SignedRequest,
  settings: TelephonySettings,
  { nonces, wallMs }: { readonly nonces: NonceStore; readonly wallMs: number },
): Promise<void> {
  const known = telephonyKeysOf(settings);
  if (known.length === 0) {
    if (settings.enableAuthValidation || settings.environment === "production")
      throw new VoiceError("dependency_not_ready", "a telephony platform cannot be verified without TELEPHONY_API_KEY");
    return;
  }
  const presented = keysPresented(request, known);
  if (presented.length === 0) throw new VoiceError("unauthorized", "the platform presents no valid API key");
  // An entry without a secret accepts its key unsigned, even if other entries for the key have secrets.
  if (presented.some(({ secret }) => secret === undefined)) return;
  const { nonce, usableForMs } = checkAgainstAny(request, presented, wallMs);
  if (!(await nonces.claim(nonce, usableForMs)))
    throw new VoiceError("unauthorized", "the signature has been used before");
}

/** All configured keys: the single one and the list. */
export function telephonyKeysOf({ telephonyApiKey, telephonyClientSecret, telephonyKeys }: TelephonySettings) {
  const single: TelephonyKey[] =
    telephonyApiKey === undefined ? [] : [{ apiKey: telephonyApiKey, secret: telephonyClientSecret }];
  return [...single, ...(telephonyKeys ?? [])];
}

/** All entries for the presented key. Every entry is compared, so that the time does not reveal which ones exist. */
function keysPresented(request: SignedRequest, known: readonly TelephonyKey[]): TelephonyKey[] {
  const apiKey = request.header("x-api-key") ?? "";
  const organizationId = request.header("audiohook-organization-id")?.toLowerCase();
  const matching = known.filter((key) => isSameSecret(apiKey, key.apiKey));
  return matching.filter((key) => key.organizationId === undefined || key.organizationId === organizationId);
}

/** A key may have an old and a new secret during a rotation. Throws the error of the last one tried. */
function checkAgainstAny(request: SignedRequest, keys: readonly TelephonyKey[], wallMs: number): CheckedSignature {
  let refusal: unknown;
  for (const { apiKey, secret = "" } of keys) {
    try {
      return checkTelephonySignature(request, { apiKey, secret }, wallMs);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}
