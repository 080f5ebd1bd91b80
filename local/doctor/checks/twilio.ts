/** Twilio accepts our credentials, its number leads here, and what it signs is believed where the apps run. */
import { reportUrl, streamUrl, voiceUrl } from "@voice/shared/calls/twilio/addresses";
import { twilioSignature, twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import { createUuid } from "@voice/shared/platform/ids";
import { TwilioRestClient } from "@voice/streaming-host/providers/twilio/rest-client";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { statusOfUpgrade } from "../upgrade.ts";

const sameToken =
  "TWILIO_AUTH_TOKEN must be the same here and where the apps run, and BASE_URL the address that they have";

export function twilioChecks({ parts, settings }: DoctorContext): Check[] {
  const { calls } = parts;
  if (calls.kind !== "twilio") return [];
  const { apiUrl, accountSid, authTokens } = calls;
  const [authToken = ""] = authTokens;
  const { commRequestTimeoutMs: requestTimeoutMs, commPhoneNumber: number = "", baseUrl } = settings;
  const client = new TwilioRestClient({ apiUrl, accountSid, authToken, requestTimeoutMs });
  /** No call has this id. */
  const noCall = `CA${createUuid().replaceAll("-", "")}`;
  const account: Check = {
    name: "Twilio",
    advice:
      "compare TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN with the console, and TWILIO_API_URL with the account's region",
    async run() {
      const found = await client.fetch("asking for a call", noCall).catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "call_not_found") return undefined;
        throw error;
      });
      return found === undefined ? "knows us, and no such call" : "says that it has a call which cannot exist";
    },
  };
  if (baseUrl === undefined) return [account];
  const numberCheck: Check = {
    name: "number at Twilio",
    advice: `in the console, let calls to COMM_PHONE_NUMBER come in at ${voiceUrl(baseUrl)}, by POST`,
    async run() {
      const [known] = await client.numbers("asking for the number", number);
      if (known === undefined)
        throw new CheckFailure(
          "is none of the account's",
          "COMM_PHONE_NUMBER must be a number of the account at Twilio",
        );
      if (known.voice_url !== voiceUrl(baseUrl) || known.voice_method !== "POST")
        throw new CheckFailure("sends its calls elsewhere", this.advice);
      return known.status_callback === reportUrl(baseUrl, "call")
        ? "leads here"
        : `leads here; with "Call status changes" at ${reportUrl(baseUrl, "call")} the end of a call is known sooner`;
    },
  };
  const reports: Check = {
    name: "Twilio's reports",
    advice: sameToken,
    async run(signal) {
      const url = reportUrl(baseUrl, "stream");
      const fields = { CallSid: noCall };
      const headers = { [twilioSignatureHeader]: twilioSignature(authToken, url, Object.entries(fields)) };
      const { status } = await fetch(url, { method: "POST", headers, body: new URLSearchParams(fields), signal });
      if (status === 204) return "are taken at BASE_URL, with our signature";
      throw new CheckFailure(`answered ${status}`, sameToken);
    },
  };
  const streams: Check = {
    name: "Twilio's streams",
    advice:
      "STREAMING_HOST_URL must lead to the streaming hosts, and whatever stands before them must leave the path alone",
    async run(signal) {
      const url = streamUrl(settings, "no-such-token");
      const status = await statusOfUpgrade(url, signal, { [twilioSignatureHeader]: twilioSignature(authToken, url) });
      // The signature is right, and the token is nobody's.
      if (status === 403) return "would be taken, with our signature";
      throw new CheckFailure(`answered ${status} to an upgrade`, status === 401 ? sameToken : this.advice);
    },
  };
  return [account, numberCheck, reports, streams];
}
