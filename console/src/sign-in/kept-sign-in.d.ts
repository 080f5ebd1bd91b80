import { Kept } from "../kept.ts";
import type { KeptStorage } from "../kept.ts";
export declare function keptTokens(storage: KeptStorage): Kept<{
  accessToken: string;
  expiresAtMs: number;
  refreshToken: string | undefined;
}>;
export declare function keptPendingSignIn(storage: KeptStorage): Kept<{
  state: string;
  verifier: string;
  returnTo: string;
}>;
