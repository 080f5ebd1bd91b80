/** Where Event Grid delivers incoming calls, where the communication service calls back, and what it fetches. */
import type { Settings } from "../config/settings.ts";
import { apiPrefix } from "../contracts/http/endpoint.ts";

type WebhookSettings = Pick<Settings, "commWebhookSecrets">;

/** To subscribe to incoming calls with. It holds the secret: not for logs. */
export function incomingCallUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  return withSecret(`${baseUrl}${apiPrefix}/calls/answer`, commWebhookSecrets?.[0]);
}

/** Goes to the communication service with every call. It holds the secret: not for logs. */
export function callbackUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  return withSecret(`${baseUrl}${apiPrefix}/calls/callbacks`, commWebhookSecrets?.[0]);
}

/** As people may see it on a screen or in a log. */
export function shownIncomingCallUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  const url = `${baseUrl}${apiPrefix}/calls/answer`;
  return commWebhookSecrets === undefined ? url : `${url}?secret=<COMM_WEBHOOK_SECRET>`;
}

/** Words that the communication service fetches, to play them to a call. */
export function announcementUrl(baseUrl: string, name: string): string {
  return `${baseUrl}${apiPrefix}/calls/announcements/${name}`;
}

function withSecret(url: string, secret: string | undefined): string {
  return secret === undefined ? url : `${url}?secret=${encodeURIComponent(secret)}`;
}
