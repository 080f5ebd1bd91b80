import { z } from "zod";
import type { SignInProvider } from "./sign-in-config.ts";
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** On the wall clock. */
  readonly expiresAtMs: number;
}
/** What has to be remembered while the browser is at the provider. */
export declare const pendingSignIn: z.ZodObject<
  {
    state: z.ZodString;
    verifier: z.ZodString;
    returnTo: z.ZodString;
  },
  z.core.$strip
>;
export type PendingSignIn = z.infer<typeof pendingSignIn>;
export interface OpenIdClient {
  begin(returnTo: string): Promise<{
    readonly address: string;
    readonly pending: PendingSignIn;
  }>;
  complete(address: URL, pending: PendingSignIn): Promise<Tokens>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Where the browser goes to sign out at the provider, too; undefined where there is no such place. */
  signOutAddress(): Promise<string | undefined>;
}
export declare function createOpenIdClient(
  { authority, clientId, scope }: SignInProvider,
  /** Registered with the provider. */
  redirectUri: string,
  wallNow: () => number,
): OpenIdClient;
/** A provider that refused, in a sentence; it is asked in vain for the same reason a second time. */
export declare function describeRefusal(error: unknown): string;
