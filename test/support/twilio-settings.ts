/** Settings with which the telephone service is Twilio, at an address where nobody answers. */
import type { Environment } from "@voice/shared/config/load";

export const twilioAuthToken = "a".repeat(32);
/** What Twilio was given; a proxy in front of the API has another name for it. */
export const twilioBaseUrl = "https://voice.example.com";

export const twilioSettings = {
  BASE_URL: twilioBaseUrl,
  TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  TWILIO_AUTH_TOKEN: twilioAuthToken,
  TWILIO_API_URL: "http://127.0.0.1:1",
  COMM_PHONE_NUMBER: "+12025550100",
} satisfies Environment;
