/**
 * Stores tokens, and the state of a sign-in while the browser is at the provider. They belong in `sessionStorage`,
 * which is private to the tab and deleted with it; the content security policy prevents foreign scripts from reading
 * it.
 */
import { z } from "zod";

import { Kept } from "../kept.ts";
import type { KeptStorage } from "../kept.ts";
import { pendingSignIn } from "./openid-client.ts";

const tokens = z
  .object({ accessToken: z.string(), refreshToken: z.string().optional(), expiresAtMs: z.number() })
  .transform(({ refreshToken, ...rest }) => ({ ...rest, refreshToken }));

export function keptTokens(storage: KeptStorage) {
  return new Kept(storage, "voice.tokens", tokens);
}

export function keptPendingSignIn(storage: KeptStorage) {
  return new Kept(storage, "voice.sign-in", pendingSignIn);
}
