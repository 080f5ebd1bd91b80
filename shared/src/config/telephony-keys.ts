/**
 * `organization:key` or `organization:key:secret`, separated by commas: the clients that may connect as a telephony
 * platform.
 */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

export interface TelephonyKey {
  /** If absent, the key is valid for any organization. */
  readonly organizationId?: string | undefined;
  readonly apiKey: string;
  /** Base64. If absent, requests with this key need not be signed. */
  readonly secret?: string | undefined;
}

const entryForm =
  /^(\*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([A-Za-z0-9+/_-]+={0,2})(?::([A-Za-z0-9+/]+={0,2}))?$/i;

export const telephonyKeyList: Kind<readonly TelephonyKey[]> = {
  says: "`organization:key` or `organization:key:secret` entries separated by commas; the organization is a GUID or `*`, the secret base64",
  schema: z.string().transform((value, context) => {
    const entries = value.split(",").map((entry) => entry.trim());
    return entries
      .filter((entry) => entry !== "")
      .map((entry, index): TelephonyKey => {
        const [, organization, apiKey, secret] = entryForm.exec(entry) ?? [];
        if (organization !== undefined && apiKey !== undefined)
          return { organizationId: organization === "*" ? undefined : organization.toLowerCase(), apiKey, secret };
        // The entry itself is a secret, so only its position is reported.
        context.addIssue({
          code: "custom",
          message: `must be organization:key or organization:key:secret entries; number ${index + 1} is not`,
        });
        return z.NEVER;
      });
  }),
};
