/** Twilio as the telephone service, in place of the communication service. */
import { flag, httpUrl, secrets, twilioSid } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const twilioSettings = {
  twilioAccountSid: optional(
    "TWILIO_ACCOUNT_SID",
    twilioSid,
    "The account at Twilio. With it calls are Twilio's; the number is COMM_PHONE_NUMBER.",
  ),
  twilioAuthTokens: secret(
    "TWILIO_AUTH_TOKEN",
    secrets,
    "The account's auth token, for requests to Twilio and for the signatures of its own. Of two, separated by a comma, the first is used and signatures of both are accepted: for the time in which the secondary token becomes the primary one.",
  ),
  twilioApiUrl: defaulted(
    "TWILIO_API_URL",
    httpUrl,
    "https://api.twilio.com",
    "Where Twilio's REST API is; another one in regions other than US1, such as `https://api.dublin.ie1.twilio.com`.",
  ),
  twilioMachineDetection: defaulted(
    "TWILIO_MACHINE_DETECTION",
    flag,
    "true",
    "Whether Twilio listens for answering machines on calls that we place, besides our own ear. Twilio charges for it.",
  ),
};
