/** The telephony platform that connects calls over the hook protocol: its credentials and what it may request. */
import { languageTag, listOf, text } from "./kinds.ts";
import { defaulted, secret } from "./setting.ts";
import { telephonyKeyList } from "./telephony-keys.ts";

export const telephonySettings = {
  telephonyApiKey: secret("TELEPHONY_API_KEY", text, "Key that the telephony platform presents."),
  telephonyClientSecret: secret(
    "TELEPHONY_CLIENT_SECRET",
    text,
    "Base64 secret with which the telephony platform signs its requests.",
  ),
  telephonyKeys: secret(
    "TELEPHONY_KEYS",
    telephonyKeyList,
    "More keys, each for one organization or, with `*`, for any: for several organizations, and for the old and the new key while one follows the other. They count beside TELEPHONY_API_KEY.",
  ),
  telephonyLanguages: defaulted(
    "TELEPHONY_LANGUAGES",
    listOf(languageTag),
    "",
    "Languages of conversations with a telephony platform. If not set: STT_LANGUAGE alone.",
  ),
};
