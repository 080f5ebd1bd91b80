/** Every setting of the product, in the order in which the documentation lists them. */
import { z } from "zod";
import { authSettings } from "./auth-settings.ts";
import { cacheSettings } from "./cache-settings.ts";
import { cloudSettings } from "./cloud-settings.ts";
import { commSettings } from "./comm-settings.ts";
import { openAiSettings } from "./openai-settings.ts";
import { providerSettings } from "./provider-settings.ts";
import { runtimeSettings } from "./runtime-settings.ts";
import { settingInfo, type SettingInfo } from "./setting.ts";
import { speechSettings } from "./speech-settings.ts";
import { telemetrySettings } from "./telemetry-settings.ts";
import { telephonySettings } from "./telephony-settings.ts";
import { twilioSettings } from "./twilio-settings.ts";
import { toolSettings } from "./tool-settings.ts";
import { webhookSettings } from "./webhook-settings.ts";

const areas = {
  Runtime: runtimeSettings,
  Tools: toolSettings,
  Webhooks: webhookSettings,
  Speech: speechSettings,
  "Communication service": commSettings,
  Twilio: twilioSettings,
  "OpenAI and its like": openAiSettings,
  "Providers of your own": providerSettings,
  Cloud: cloudSettings,
  Cache: cacheSettings,
  Authentication: authSettings,
  "Telephony platform": telephonySettings,
  Telemetry: telemetrySettings,
};

export const settingsSchema = z.object({
  ...runtimeSettings,
  ...toolSettings,
  ...webhookSettings,
  ...speechSettings,
  ...commSettings,
  ...twilioSettings,
  ...openAiSettings,
  ...providerSettings,
  ...cloudSettings,
  ...cacheSettings,
  ...authSettings,
  ...telephonySettings,
  ...telemetrySettings,
});

/** Flat and frozen; the keys are the names in camel case, durations in milliseconds. */
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
export type SettingKey = keyof Settings;

export interface NamedSetting extends SettingInfo {
  readonly key: string;
  readonly area: string;
}

export const namedSettings: readonly NamedSetting[] = Object.entries(areas).flatMap(([area, shape]) =>
  Object.entries(shape).map(([key, schema]): NamedSetting => {
    const info = settingInfo.get(schema);
    if (info === undefined) throw new Error(`setting ${key} is not described`);
    const { name, about, says, fallback, secret } = info;
    return { key, area, name, about, says, fallback, secret };
  }),
);
