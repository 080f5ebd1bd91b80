/** The telephony platform: presents each of its keys as the platform does, with a signature where one is required. */
import { randomUUID } from "node:crypto";
import { telephonyKeysOf } from "@voice/shared/auth/verify-telephony";
import type { TelephonyKey } from "@voice/shared/config/telephony-keys";
import { signRequest } from "../../emulators/telephony/sign-request.ts";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { statusOfUpgrade, streamingUrlOf } from "../upgrade.ts";

export function telephonyChecks({ settings, clock }: DoctorContext): Check[] {
  const keys = telephonyKeysOf(settings);
  if (keys.length === 0) return [];
  const streamingUrl = streamingUrlOf(settings);
  return keys.map((key, index) => {
    // TELEPHONY_API_KEY comes first, where it is set; those of TELEPHONY_KEYS are counted from 1.
    const place = settings.telephonyApiKey === undefined ? index + 1 : index;
    const setting = place === 0 ? "TELEPHONY_API_KEY" : `TELEPHONY_KEYS (${place})`;
    const advice = `${setting} must be the same here and where the streaming hosts run`;
    return {
      name: `telephony bridge, ${setting}`,
      advice,
      async run(signal) {
        const who = key.organizationId === undefined ? "any organization" : `organization ${key.organizationId}`;
        const how = key.secret === undefined ? "without a signature" : "signed";
        if (streamingUrl === undefined) return `for ${who}, ${how}; not tried, since BASE_URL is not set`;
        const status = await present(key, streamingUrl, clock.wallNow(), signal);
        if (status === 101) return `lets ${who} in, ${how}`;
        if (status === 401) throw new CheckFailure("is refused with 401", advice);
        throw new CheckFailure(`answered ${status} to an upgrade`, adviceAgainst(status));
      },
    };
  });
}

function present(key: TelephonyKey, streamingUrl: string, wallMs: number, signal: AbortSignal): Promise<number> {
  const url = new URL(`${streamingUrl}/api/v1/telephony/stream`);
  const identification = {
    "audiohook-organization-id": key.organizationId ?? randomUUID(),
    "audiohook-correlation-id": randomUUID(),
    "audiohook-session-id": randomUUID(),
  };
  return statusOfUpgrade(url.href, signal, signRequest(url, identification, key, wallMs));
}

function adviceAgainst(status: number): string {
  return status === 503
    ? "the bridge speaks through a realtime model: set CLOUD_VOICELIVE_ENDPOINT and CLOUD_VOICELIVE_MODEL; the streaming host's log says what else it misses"
    : "STREAMING_HOST_URL must lead to the streaming hosts, and whatever stands before them must leave path and Host alone";
}
