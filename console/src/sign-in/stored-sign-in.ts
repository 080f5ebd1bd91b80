/**
 * Stores tokens, and the state of a sign-in while the browser is at the provider. They belong in `sessionStorage`,
 * which is private to the tab and deleted with it; the content security policy prevents foreign scripts from reading
 * it.
 */
import { z } from "zod";

import { StoredValue } from "../stored-value.ts";
import type { BrowserStorage } from "../stored-value.ts";
import { pendingSignIn } from "./openid-client.ts";

const tokens = z
  .object({ accessToken: z.string(), refreshToken: z.string().optional(), expiresAtMs: z.number() })
  .transform(({ refreshToken, ...rest }) => ({ ...rest, refreshToken }));

export function storedTokens(storage: BrowserStorage) {
  return new StoredValue(storage, "voice.tokens", tokens);
}

export function storedPendingSignIn(storage: BrowserStorage) {
  return new StoredValue(storage, "voice.sign-in", pendingSignIn);
}
