/**
 * The headers of a delivery as Standard Webhooks defines them, so that its libraries can check them. While a secret is
 * being replaced there are two, and a signature by each.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac } from "node:crypto";
import type { webhookHeaders } from "../contracts/webhooks/webhook-event.ts";

export const secretPrefix = "whsec_";

export function signWebhook(
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
  secrets: readonly string[],
): Readonly<Record<keyof typeof webhookHeaders, string>> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
