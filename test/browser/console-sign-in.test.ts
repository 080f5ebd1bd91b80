/** The console of a service that asks for tokens, with an OpenID provider on this machine, in a real browser. */
import { startIdentityEmulator, type IdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { pageOrigins } from "@voice/shared/auth/page-origins";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { startTestService } from "../support/test-service.ts";

const api = "6f9619ff-8b86-4011-b42d-00c04fc964f2";
const page = "6f9619ff-8b86-4011-b42d-00c04fc964f3";
const other = "6f9619ff-8b86-4011-b42d-00c04fc964f4";

const smallSizes = [
  [360, 640],
  [740, 360],
  [320, 256],
  [640, 400],
] as const;

const people = [
  { name: "Olive the operator", subject: "olive", roles: ["Voice.Operator"] },
  { name: "Una the user", subject: "una", roles: [] },
  { name: "Sam the stranger", subject: "sam", roles: [], azp: other },
];

describe.runIf(isChromiumAvailable())("the console where people sign in", () => {
  let identity: IdentityEmulator;
  let service: Service;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    identity = await startIdentityEmulator({ people, audience: api });
    const settings = loadSettings({
      PORT: "0",
      HOST: "127.0.0.1",
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: api,
      CLOUD_TENANT_ID: identity.tenantId,
      ALLOWED_CLIENT_IDS: page,
      AUTH_JWT_ISSUER: identity.entra.issuer,
      AUTH_JWKS_URL: identity.entra.jwksUrl,
      SIGN_IN_CLIENT_ID: page,
    });
    const pages = serveConsole({ reaches: pageOrigins(settings) });
    service = await startTestService({ settings, logger: silentLogger, pages });
    origin = `http://127.0.0.1:${service.port}`;
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await service.close(0);
    await identity.close();
  });

  /** Every page has a storage of its own, so nobody else's tokens are there. */
  const open = (path = "/") => openConsole(browser, origin + path);

  async function signIn(opened: Page, name: string): Promise<void> {
    await opened.getByRole("button", { name: "Sign in" }).click();
    await opened.getByRole("link", { name }).click();
  }

  it("[ACCESS-16c] [ACCESS-16e] [ACCESS-16f] lets a user sign in, hold a conversation, reload, open another tab, and sign out of both", async () => {
    const { page: opened, problems } = await open("/#talk");
    await opened.getByRole("heading", { name: "Sign in to go on" }).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await opened.emulateMedia({ colorScheme });
      expect(await accessibilityViolations(opened)).toEqual([]);
      await keepScreenshot(opened, `sign-in-${colorScheme}`);
    }
    for (const [width, height] of smallSizes) {
      await opened.setViewportSize({ width, height });
      expect([await overflowsSideways(opened), await unreachableControls(opened)]).toEqual([false, []]);
      await keepScreenshot(opened, `sign-in-${width}x${height}`);
    }
    await signIn(opened, "Una");
    await say(opened, "I lost my card");
    await conversation(opened).getByText("hands over to").waitFor();
    // What the page at /docs reads of it.
    const kept = await opened.evaluate(() => sessionStorage.getItem("voice.tokens"));
    expect(JSON.parse(kept ?? "null")).toMatchObject({
      accessToken: expect.any(String),
      expiresAtMs: expect.any(Number),
    });
    await opened.reload();
    await opened.getByRole("button", { name: "Sign out" }).waitFor();
    expect(new URL(opened.url()).search).toBe("");
    const opens = opened.context().waitForEvent("page");
    await opened.evaluate("void window.open('/#conversations', '_blank', 'noopener')");
    const another = await opens;
    await another.getByRole("button", { name: "Sign out" }).waitFor();
    await opened.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [opened, another]) await tab.getByRole("heading", { name: "Sign in to go on" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("[ACCESS-16c] says that a sign-in has ended in the middle of work, and loses nothing that was typed", async () => {
    const { page: opened } = await open("/#calls");
    await signIn(opened, "Olive");
    await opened.getByLabel("Number", { exact: true }).fill("+12025550180");
    await opened.route("**/api/v1/calls/**", (route) =>
      route.fulfill({
        status: 401,
        json: { type: "unauthorized", detail: "The token has expired.", status_code: 401 },
      }),
    );
    await opened.getByRole("button", { name: "Call", exact: true }).click();
    await opened.getByRole("alert").getByText("Sign in again to go on where you were").waitFor();
    await keepScreenshot(opened, "sign-in-ended");
    await opened.unroute("**/api/v1/calls/**");
    await signIn(opened, "Olive");
    expect(await opened.getByLabel("Number", { exact: true }).inputValue()).toBe("+12025550180");
    expect(new URL(opened.url()).hash).toBe("#calls");
    await opened.getByRole("button", { name: "Sign out" }).click();
    await opened.getByRole("heading", { name: "Sign in to go on" }).waitFor();
    expect(await opened.evaluate(() => sessionStorage.getItem("voice.typed"))).toBeNull();
  });

  it("brings an operator back to the page that was asked for", async () => {
    const { page: opened } = await open("/#conversations?failed=1");
    await signIn(opened, "Olive");
    await opened.getByRole("button", { name: "Failed", exact: true, pressed: true }).waitFor();
    expect(new URL(opened.url()).hash).toBe("#conversations?failed=1");
  });

  it("tells somebody who is not let in, in words", async () => {
    const { page: opened } = await open();
    await signIn(opened, "Sam");
    await opened.getByRole("heading", { name: "not allowed in" }).waitFor();
    await keepScreenshot(opened, "sign-in-not-allowed");
    await opened.getByRole("button", { name: "Sign in as somebody else" }).click();
    await opened.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await opened.getByRole("navigation", { name: "Pages" }).count()).toBe(0);
  });
});
