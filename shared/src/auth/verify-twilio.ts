/** Authenticates Twilio, which signs every request and every socket with the account's auth token (TWILIO-2). */
import { streamUrl } from "../calls/twilio/addresses.ts";
import { isSignedByTwilio } from "../calls/twilio/signature.ts";
import type { FormFields } from "../calls/twilio/signature.ts";
import { partsOf } from "../config/parts.ts";
import type { Settings } from "../config/settings.ts";
import { VoiceError } from "../platform/errors.ts";
import { serviceCaller, type Caller } from "./caller.ts";

interface SignedForm {
  /** The request's path and query, as they came. */
  readonly target: string;
  readonly fields: FormFields;
  readonly signature: string | undefined;
}

/** Rejects with `unauthorized`, or with `dependency_not_ready` where Twilio is not the telephone service. */
export function verifyTwilioForm({ target, fields, signature }: SignedForm, settings: Settings): Caller {
  // A proxy may have changed scheme and host, and Twilio signs the address that it was given.
  return verify({ url: `${settings.baseUrl ?? ""}${target}`, fields, signature }, settings);
}

export function verifyTwilioSocket(signature: string | undefined, token: string, settings: Settings): Caller {
  return verify({ url: streamUrl(settings, token), signature }, settings);
}

function verify(signed: Parameters<typeof isSignedByTwilio>[0], settings: Settings): Caller {
  const { calls } = partsOf(settings);
  if (calls.kind !== "twilio")
    throw new VoiceError("dependency_not_ready", "Twilio cannot be verified without TWILIO_ACCOUNT_SID");
  if (!isSignedByTwilio(signed, calls.authTokens))
    throw new VoiceError("unauthorized", "the signature is not that of the account at Twilio, for this address");
  return serviceCaller("twilio");
}
