import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import { createHttp } from "../api/request.ts";
import { storedPendingSignIn, storedTokens } from "./stored-sign-in.ts";
import type { BrowserStorage } from "../stored-value.ts";
import type { OpenIdClient, Tokens } from "./openid-client.ts";
import { OtherTabs } from "./other-tabs.ts";
import type { TabChannel } from "./other-tabs.ts";
import { SignInSession } from "./sign-in-session.ts";

const provider = { authority: "https://id.example", client_id: "page", scope: "openid" };

class Browser {
  readonly clock: VirtualClock;
  #tabs: Browser[] = [this];
  readonly #listeners: ((message: unknown) => void)[] = [];
  readonly storage = new Map<string, string>();
  readonly left: string[] = [];
  /** What the service was asked, with the token. */
  readonly asked: string[] = [];
  address = new URL("https://voice.example/#watch/session-1");
  answers: Record<string, { status?: number; body: unknown }> = {
    "/sign-in": { body: { required: true, provider } },
    "/access": { body: { subject: "olive", is_operator: true, may_place_calls: false } },
  };
  isReachable = true;
  refreshes = 0;
  refreshed: Promise<Tokens>;

  constructor(clock = new VirtualClock()) {
    this.clock = clock;
    this.refreshed = Promise.resolve(this.tokens("second"));
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const path = new Request(new URL(input instanceof Request ? input.url : input, this.address)).url.split(
      "/api/v1",
    )[1];
    if (path === undefined) throw new Error("not the API");
    if (!this.isReachable) throw new TypeError("nobody answers");
    this.asked.push(`${path} ${new Headers(init?.headers).get("authorization") ?? "nobody"}`);
    const { status = 200, body } = this.answers[path] ?? { status: 404, body: { detail: "no such path" } };
    return Response.json(body, { status });
  };

  readonly client: OpenIdClient = {
    begin: (returnTo) =>
      Promise.resolve({ address: "https://id.example/authorize", pending: { state: "s", verifier: "v", returnTo } }),
    complete: (address) =>
      address.searchParams.get("code") === "good"
        ? Promise.resolve(this.tokens("first"))
        : Promise.reject(new Error("no such code")),
    refresh: () => {
      this.refreshes += 1;
      return this.refreshed;
    },
    signOutAddress: () => Promise.resolve("https://id.example/out"),
  };

  readonly keptStorage: BrowserStorage = {
    getItem: (key) => this.storage.get(key) ?? null,
    setItem: (key, value) => void this.storage.set(key, value),
    removeItem: (key) => void this.storage.delete(key),
  };

  tokens(accessToken: string, lifeMs = 3_600_000): Tokens {
    return { accessToken, refreshToken: "again", expiresAtMs: this.clock.wallNow() + lifeMs };
  }

  keep(tokens: Tokens): void {
    storedTokens(this.keptStorage).set(tokens);
  }

  /** Another tab has a storage of its own. */
  anotherTab(): Browser {
    const tab = new Browser(this.clock);
    this.#tabs.push(tab);
    tab.#tabs = this.#tabs;
    return tab;
  }

  readonly channel: TabChannel = {
    send: (message) => {
      for (const tab of this.#tabs) if (tab !== this) for (const listener of tab.#listeners) listener(message);
    },
    onMessage: (listener) => void this.#listeners.push(listener),
  };

  /** Loads the page. */
  async open(): Promise<SignInSession> {
    const session = this.load();
    await this.nobodyElseAnswers();
    return session;
  }

  async nobodyElseAnswers(): Promise<void> {
    await settled();
    this.clock.advance(400);
    await settled();
  }

  load(): SignInSession {
    const currentAddress = (): URL => this.address;
    const session = new SignInSession({
      fetch: this.fetch,
      clock: this.clock,
      place: {
        get address() {
          return currentAddress();
        },
        leaveFor: (address) => void this.left.push(address),
        replace: (address) => {
          this.address = new URL(address, this.address.origin);
        },
      },
      tokens: storedTokens(this.keptStorage),
      pending: storedPendingSignIn(this.keptStorage),
      createClient: () => this.client,
      otherTabs: new OtherTabs(this.channel, this.clock),
    });
    session.start();
    return session;
  }
}

/** Everything here answers at once, so one turn of the event loop is enough for all of it. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const ask = (browser: Browser, session: SignInSession) =>
  createHttp(browser.fetch, session.credentials).send("/agents");

/** A tab that is opened beside one whose user is signed in. */
async function besideSignedIn() {
  const first = new Browser();
  first.keep(first.tokens("first"));
  await first.open();
  const second = first.anotherTab();
  const session = second.load();
  await settled();
  return { first, second, session };
}

describe("signing in to the console", () => {
  it("is not asked for where authentication is off", async () => {
    const browser = new Browser();
    browser.answers["/sign-in"] = { body: { required: false, provider: null } };
    const session = await browser.open();
    expect(session.store.get()).toMatchObject({ kind: "open", access: { isOperator: true } });
    expect(await session.credentials.token()).toBeUndefined();
  });

  it("says that it is impossible where no page is registered", async () => {
    const browser = new Browser();
    browser.answers["/sign-in"] = { body: { required: true, provider: null } };
    expect((await browser.open()).store.get().kind).toBe("impossible");
  });

  it("says that it asks again, and does, where a proxy answers for the service", async () => {
    const browser = new Browser();
    const { "/sign-in": answer = { body: undefined } } = browser.answers;
    browser.answers["/sign-in"] = { status: 502, body: "<h1>Bad gateway</h1>" };
    const session = await browser.open();
    expect(session.store.get()).toMatchObject({ kind: "checking", problem: expect.stringContaining("Trying again") });
    browser.answers["/sign-in"] = answer;
    browser.clock.advance(3000);
    await browser.nobodyElseAnswers();
    expect(session.store.get().kind).toBe("signed-out");
  });

  it("waits for a service that does not answer yet", async () => {
    const browser = new Browser();
    browser.isReachable = false;
    const session = await browser.open();
    expect(session.store.get()).toMatchObject({
      kind: "checking",
      problem: expect.stringContaining("does not answer"),
    });
    browser.isReachable = true;
    browser.clock.advance(3000);
    await browser.nobodyElseAnswers();
    expect(session.store.get().kind).toBe("signed-out");
  });

  it("goes to the provider and comes back to where one was", async () => {
    const browser = new Browser();
    await (await browser.open()).signIn();
    expect(browser.left).toEqual(["https://id.example/authorize"]);
    browser.address = new URL("https://voice.example/?code=good&state=s");
    const session = await browser.open();
    expect(session.store.get()).toEqual({
      kind: "signed-in",
      access: { name: "olive", isOperator: true, runsService: true, mayPlaceCalls: false, mayPublish: false },
    });
    expect(browser.address.href).toBe("https://voice.example/#watch/session-1");
    expect(browser.asked.at(-1)).toBe("/access Bearer first");
  });

  it("says what became of a sign-in that was not completed, and forgets its code", async () => {
    const browser = new Browser();
    await (await browser.open()).signIn();
    browser.address = new URL("https://voice.example/?code=bad&state=s");
    const session = await browser.open();
    expect(session.store.get()).toMatchObject({ kind: "signed-out", problem: expect.stringContaining("Try again") });
    expect(browser.address.search).toBe("");
  });

  it("outlives a reload", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    expect((await browser.open()).store.get().kind).toBe("signed-in");
  });

  it("tells who is signed in and not let in", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    browser.answers["/access"] = { status: 403, body: { type: "forbidden", detail: "Not this application." } };
    expect((await browser.open()).store.get()).toEqual({ kind: "not-allowed" });
  });

  it("renews a token before it expires, once for all that ask at the time", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    const session = await browser.open();
    browser.clock.advance(3_600_000 - 30_000);
    browser.refreshed = Promise.resolve(browser.tokens("second"));
    await Promise.all([ask(browser, session), ask(browser, session)].map((asked) => asked.catch(() => undefined)));
    expect(browser.refreshes).toBe(1);
    expect(browser.asked.slice(-2)).toEqual(["/agents Bearer second", "/agents Bearer second"]);
  });

  it("asks to sign in again when the provider does not renew the token", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    const session = await browser.open();
    browser.clock.advance(3_600_000);
    browser.refreshed = Promise.reject(new Error("invalid_grant"));
    await expect(ask(browser, session)).rejects.toMatchObject({ status: 401 });
    expect(session.store.get()).toMatchObject({ kind: "signed-out", problem: expect.stringContaining("expired") });
  });

  it("stays signed in while the provider does not answer", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    const session = await browser.open();
    browser.clock.advance(3_600_000);
    browser.refreshed = Promise.reject(new TypeError("no answer"));
    await expect(ask(browser, session)).rejects.toBeInstanceOf(TypeError);
    expect(session.store.get().kind).toBe("signed-in");
  });

  it("asks to sign in again when the service refuses the token", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    const session = await browser.open();
    browser.answers["/agents"] = { status: 401, body: { type: "unauthorized", detail: "The token is not valid." } };
    await expect(ask(browser, session)).rejects.toMatchObject({ status: 401 });
    expect(session.store.get().kind).toBe("signed-out");
  });

  it("forgets the token when one signs out, here and at the provider", async () => {
    const browser = new Browser();
    browser.keep(browser.tokens("first"));
    await (await browser.open()).signOut();
    expect(browser.left).toEqual(["https://id.example/out"]);
    expect((await browser.open()).store.get().kind).toBe("signed-out");
  });

  it("[ACCESS-16e] is not asked for in another tab, which is lent the access token and not the refresh token", async () => {
    const { second, session } = await besideSignedIn();
    expect(session.store.get().kind).toBe("signed-in");
    expect(second.asked).toContain("/access Bearer first");
    expect([...second.storage.values()].join()).not.toContain("again");
  });

  it("[ACCESS-16e] is renewed by the tab that has the refresh token, and asked for where that tab is gone", async () => {
    const { first, second, session } = await besideSignedIn();
    first.refreshed = Promise.resolve(first.tokens("second", 7_200_000));
    first.clock.advance(3_590_000);
    expect(await session.credentials.token()).toBe("second");
    first.storage.clear();
    first.clock.advance(3_600_000);
    const refused = ask(second, session).catch((error: unknown) => error);
    await settled();
    first.clock.advance(3000);
    expect(await refused).toMatchObject({ status: 401 });
    expect(session.store.get().kind).toBe("signed-out");
  });

  it("[ACCESS-16f] ends in all tabs of a user, and leaves those of another user alone", async () => {
    const first = new Browser();
    first.keep(first.tokens("first"));
    const tabs = [first, first.anotherTab(), first.anotherTab()];
    const [olive, alsoOlive, una] = tabs;
    una?.keep(first.tokens("una"));
    if (una) una.answers["/access"] = { body: { subject: "una", is_operator: false, may_place_calls: false } };
    const ended: string[] = [];
    const sessions = [];
    for (const [index, tab] of tabs.entries()) {
      const session = await tab.open();
      session.beforeSignOut(() => ended.push(`tab ${index}`));
      sessions.push(session);
    }
    await sessions[1]?.signOut();
    expect(sessions.map((session) => session.store.get().kind)).toEqual(["signed-out", "signed-in", "signed-in"]);
    expect(ended).toEqual(["tab 1", "tab 0"]);
    expect([olive, alsoOlive].map((tab) => tab?.storage.get("voice.tokens"))).toEqual([undefined, undefined]);
    expect(alsoOlive?.left).toEqual(["https://id.example/out"]);
  });
});
