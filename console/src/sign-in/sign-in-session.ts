/** The page's user: finds out whether sign-in is required, performs it, and provides the token for every request. */
import type { Clock } from "@voice/shared/platform/clock";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { createHttp } from "../api/request.ts";
import type { Credentials } from "../api/request.ts";
import { Store } from "@voice/client-kit/store";
import type { StoredValue } from "../stored-value.ts";
import { describeRefusal } from "./openid-client.ts";
import type { OpenIdClient, PendingSignIn, Tokens } from "./openid-client.ts";
import type { LentToken, OtherTabs } from "./other-tabs.ts";
import { accessAnswer, fullAccess, signInAnswer } from "./sign-in-config.ts";
import type { Access, SignInProvider } from "./sign-in-config.ts";

export type SignInState =
  | { readonly kind: "checking"; readonly problem: string | undefined }
  /** Authentication is off. */
  | { readonly kind: "open"; readonly access: Access }
  | { readonly kind: "signed-out"; readonly problem: string | undefined }
  /** A token is required, and this page has no provider to get one from. */
  | { readonly kind: "impossible" }
  | { readonly kind: "signed-in"; readonly access: Access }
  /** The provider has identified the user, but the service denies access. */
  | { readonly kind: "not-allowed" };

/** The browser's address, as far as signing in changes it. */
interface Place {
  readonly address: URL;
  leaveFor(address: string): void;
  /** Shows another address without loading it. */
  replace(address: string): void;
}

export interface SignInSessionOptions {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly place: Place;
  readonly tokens: StoredValue<Tokens>;
  readonly pending: StoredValue<PendingSignIn>;
  readonly createClient: (provider: SignInProvider) => OpenIdClient;
  readonly otherTabs: OtherTabs;
}

const retryMs = 3000;
/** A token that expires sooner than this is not used. */
const marginMs = 60_000;
/** Other tabs answer at once, or have to renew their token first. */
const lendMs = { atOnce: 400, renewed: 3000 } as const;

export class SignInSession {
  readonly store = new Store<SignInState>({ kind: "checking", problem: undefined });
  readonly credentials: Credentials;
  readonly #options: SignInSessionOptions;
  #client: OpenIdClient | undefined;
  #refreshing: Promise<Tokens> | undefined;
  #beforeSignOut: () => void = () => undefined;

  constructor(options: SignInSessionOptions) {
    this.#options = options;
    this.credentials = {
      token: () => this.#token(),
      refused: (token) => this.#refused(token),
    };
    options.otherTabs.answerWith({
      lend: () => this.#lend(),
      signedOut: (subject) => {
        const state = this.store.get();
        if (state.kind !== "signed-in" || state.access.name !== subject) return;
        this.#forget();
        this.#signedOut(undefined);
      },
    });
  }

  /** Called before the page forgets who is signed in, because its user wants to leave, here or in another tab. */
  beforeSignOut(listener: () => void): void {
    this.#beforeSignOut = listener;
  }

  /** Returns the function that stops it. */
  start(): () => void {
    const abort = new AbortController();
    void this.#check(abort.signal);
    return () => abort.abort();
  }

  async signIn(): Promise<void> {
    if (this.#client === undefined) return;
    const { pending, place } = this.#options;
    try {
      const begun = await this.#client.begin(place.address.hash);
      pending.set(begun.pending);
      place.leaveFor(begun.address);
    } catch (error) {
      this.#signedOut(describeRefusal(error));
    }
  }

  /** The page deletes the token at once, and notifies the provider if the provider has an address for that. */
  async signOut(): Promise<void> {
    const state = this.store.get();
    const subject = state.kind === "signed-in" ? state.access.name : undefined;
    this.#forget();
    if (subject !== undefined) this.#options.otherTabs.sendSignedOut(subject);
    const address = await this.#client?.signOutAddress().catch(() => undefined);
    if (address === undefined) this.#signedOut(undefined);
    else this.#options.place.leaveFor(address);
  }

  async #check(signal: AbortSignal): Promise<void> {
    try {
      const anonymous = createHttp(this.#options.fetch, { token: async () => undefined, refused: () => undefined });
      const { required, provider } = await anonymous.json("/sign-in", signInAnswer, { signal });
      if (signal.aborted) return;
      if (!required) this.store.set({ kind: "open", access: fullAccess });
      else if (provider === null) this.store.set({ kind: "impossible" });
      else await this.#comeBack(this.#options.createClient(provider));
    } catch (error) {
      if (signal.aborted) return;
      const isMissing = error instanceof ApiProblem && error.status === 404;
      if (isMissing) this.store.set({ kind: "open", access: fullAccess }); // an older service, which requires no sign-in
      else this.#tryAgain(error, signal);
    }
  }

  #tryAgain(error: unknown, signal: AbortSignal): void {
    this.store.set({ kind: "checking", problem: `${describeProblem(error)} Trying again every few seconds.` });
    const cancel = this.#options.clock.setTimer(retryMs, () => void this.#check(signal));
    signal.addEventListener("abort", cancel, { once: true });
  }

  /** Called when the provider has sent the user back, and after a reload. */
  async #comeBack(client: OpenIdClient): Promise<void> {
    this.#client = client;
    const { place, pending, tokens, otherTabs } = this.#options;
    const begun = pending.get();
    const { searchParams } = place.address;
    if (begun !== undefined && (searchParams.has("code") || searchParams.has("error"))) {
      const answer = new URL(place.address);
      pending.set(undefined);
      place.replace(`${answer.pathname}${begun.returnTo}`);
      try {
        tokens.set(await client.complete(answer, begun));
      } catch (error) {
        return this.#signedOut(describeRefusal(error));
      }
    }
    if (tokens.get() === undefined) tokens.set(withoutRefresh(await otherTabs.requestToken(lendMs.atOnce)));
    if (tokens.get() === undefined) return this.#signedOut(undefined);
    await this.#askForAccess();
  }

  async #askForAccess(): Promise<void> {
    try {
      const http = createHttp(this.#options.fetch, this.credentials);
      this.store.set({ kind: "signed-in", access: await http.json("/access", accessAnswer) });
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 401) return; // already reported
      if (error.status !== 403) throw error;
      this.store.set({ kind: "not-allowed" });
    }
  }

  async #token(): Promise<string | undefined> {
    if (this.store.get().kind === "open") return undefined;
    const tokens = this.#options.tokens.get();
    if (tokens === undefined) throw needsSignIn();
    if (this.#isFresh(tokens)) return tokens.accessToken;
    return (await this.#refreshed(tokens)).accessToken;
  }

  /** Concurrent requests share one refresh, because a provider may accept a refresh token only once. */
  #refreshed(before: Tokens): Promise<Tokens> {
    this.#refreshing ??= this.#refresh(before).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh({ refreshToken }: Tokens): Promise<Tokens> {
    try {
      const tokens = await (refreshToken === undefined ? this.#borrow() : this.#client?.refresh(refreshToken));
      if (tokens === undefined) throw needsSignIn();
      this.#options.tokens.set(tokens);
      return tokens;
    } catch (error) {
      if (error instanceof TypeError) throw error; // the provider does not answer; the next request tries again
      this.#expired();
      throw needsSignIn();
    }
  }

  /** The refresh token is in the tab that lends. */
  async #borrow(): Promise<Tokens | undefined> {
    const lent = withoutRefresh(await this.#options.otherTabs.requestToken(lendMs.renewed));
    return lent !== undefined && this.#isFresh(lent) ? lent : undefined;
  }

  /** A tab that has to borrow itself lends nothing, so that no two tabs wait for each other. */
  async #lend(): Promise<LentToken | undefined> {
    const tokens = this.#options.tokens.get();
    if (this.store.get().kind !== "signed-in" || tokens === undefined) return undefined;
    if (this.#isFresh(tokens)) return { accessToken: tokens.accessToken, expiresAtMs: tokens.expiresAtMs };
    if (tokens.refreshToken === undefined) return undefined;
    const { accessToken, expiresAtMs } = await this.#refreshed(tokens);
    return { accessToken, expiresAtMs };
  }

  #isFresh({ expiresAtMs }: LentToken): boolean {
    return expiresAtMs - this.#options.clock.wallNow() > marginMs;
  }

  #forget(): void {
    this.#beforeSignOut();
    this.#options.tokens.set(undefined);
  }

  /** A token that has been replaced meanwhile was refused because it was too old. */
  #refused(token: string | undefined): void {
    if (token !== undefined && token === this.#options.tokens.get()?.accessToken) this.#expired();
  }

  #expired(): void {
    this.#options.tokens.set(undefined);
    this.#signedOut("Your sign-in has expired. Sign in again to go on where you were.");
  }

  #signedOut(problem: string | undefined): void {
    this.store.set({ kind: "signed-out", problem });
  }
}

function withoutRefresh(lent: LentToken | undefined): Tokens | undefined {
  return lent && { accessToken: lent.accessToken, refreshToken: undefined, expiresAtMs: lent.expiresAtMs };
}

function needsSignIn(): ApiProblem {
  return new ApiProblem(401, { type: "unauthorized", detail: "Your sign-in has expired." });
}
