/**
 * Tokens, and what is remembered while the browser is at the provider. They belong into `sessionStorage`, which is the tab's
 * own and goes with it; the content security policy lets no foreign script read it.
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
