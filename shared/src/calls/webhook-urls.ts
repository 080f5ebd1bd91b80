/**
 * The URLs to which Event Grid delivers incoming calls and the communication service sends callbacks, and those it
 * fetches.
 */
import type { Settings } from "../config/settings.ts";
import { apiPrefix } from "../contracts/http/endpoint.ts";

type WebhookSettings = Pick<Settings, "commWebhookSecrets">;

/** For the subscription to incoming calls. Contains the secret, so it must not be logged. */
export function incomingCallUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  return withSecret(`${baseUrl}${apiPrefix}/calls/answer`, commWebhookSecrets?.[0]);
}

/** Sent to the communication service with every call. Contains the secret, so it must not be logged. */
export function callbackUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  return withSecret(`${baseUrl}${apiPrefix}/calls/callbacks`, commWebhookSecrets?.[0]);
}

/** The address without its secret, for screens and logs. */
export function shownIncomingCallUrl(baseUrl: string, { commWebhookSecrets }: WebhookSettings): string {
  const url = `${baseUrl}${apiPrefix}/calls/answer`;
  return commWebhookSecrets === undefined ? url : `${url}?secret=<COMM_WEBHOOK_SECRET>`;
}

/** Where the communication service fetches the audio that it plays to a call. */
export function announcementUrl(baseUrl: string, name: string): string {
  return `${baseUrl}${apiPrefix}/calls/announcements/${name}`;
}

function withSecret(url: string, secret: string | undefined): string {
  return secret === undefined ? url : `${url}?secret=${encodeURIComponent(secret)}`;
}
