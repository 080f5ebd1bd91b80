/** The servers that are notified of ended calls and conversations. */
import { z } from "zod";
import { anyHttpUrl, hostWithPort, listOf, type Kind } from "./kinds.ts";
import { defaulted, secret } from "./setting.ts";

const says = "one or two secrets with a comma between, each whsec_ and the base64 of 24 to 64 bytes";

/** Two while one replaces the other: every delivery is signed with both. */
const webhookSecrets: Kind<readonly string[]> = {
  says,
  schema: z.string().transform((value, context) => {
    const parts = value.split(",").map((part) => part.trim());
    if (parts.length <= 2 && parts.every(isSecret)) return parts;
    context.addIssue({ code: "custom", message: `must be ${says}` });
    return z.NEVER;
  }),
};

function isSecret(value: string): boolean {
  const [, key] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const { length } = Buffer.from(key ?? "", "base64");
  return length >= 24 && length <= 64;
}

export const webhookSettings = {
  // Secret, because receivers often have a key in the address.
  webhookUrls: secret(
    "WEBHOOK_URLS",
    listOf(anyHttpUrl),
    "Addresses that are told when a call or a conversation is over; https and public, unless WEBHOOK_PRIVATE_HOSTS names the host.",
  ),
  webhookSecrets: secret(
    "WEBHOOK_SECRETS",
    webhookSecrets,
    "What deliveries are signed with (Standard Webhooks, HMAC-SHA256); the new one first while it is replaced.",
  ),
  webhookPrivateHosts: defaulted(
    "WEBHOOK_PRIVATE_HOSTS",
    listOf(hostWithPort),
    "",
    "Hosts that may be told at private and loopback addresses as well, and over plain http.",
  ),
};
