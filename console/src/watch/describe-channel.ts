/** Where a conversation comes from. */
import { displayName } from "../display-name.ts";

const channels: Readonly<Record<string, string>> = {
  phone: "Phone call",
  browser: "Browser",
  media: "Media socket",
  telephony: "Telephony platform",
};

export function channelInWords(channel: string): string {
  return channels[channel] ?? displayName(channel);
}
