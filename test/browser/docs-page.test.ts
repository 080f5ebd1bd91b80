/** A person reads the API in a browser and tries its calls. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings } from "@voice/shared/config/load";
import { startApi, type Api } from "../integration/http/api-harness.ts";
import { startTokenIssuer, type TokenIssuer } from "../integration/http/token-issuer.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { launchChromium, openPage } from "../support/chromium.ts";

describe.skipIf(!isChromiumAvailable())("the page at /docs", () => {
  let api: Api;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    api = await startApi();
    browser = await launchChromium();
    page = await openPage(browser);
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(api.url)) foreign.push(request.url());
    });
    await page.goto(`${api.url}/docs`);
    await page.getByRole("heading", { name: "WebSockets" }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  it("lists every operation and every socket", async () => {
    expect(await page.locator("details").count()).toBeGreaterThan(40);
    expect(await page.getByText("/calls/initiate").count()).toBe(1);
    expect(await page.getByText("/api/v1/browser/conversation").count()).toBe(1);
  });

  it("finds operations by words", async () => {
    await page.getByLabel("Filter").fill("media session");
    const visible = await page.locator("details:visible summary code").allTextContents();
    expect(visible).toContain("/media/sessions");
    expect(visible).not.toContain("/health");
    await page.getByLabel("Filter").fill("");
  });

  it("sends a request and shows the answer", async () => {
    const panel = page.locator("details", { hasText: "/calls/initiate" }).first();
    await panel.locator("summary").click();
    await panel.getByRole("button", { name: "Send" }).click();
    await panel.getByText(/^200 OK in \d+ ms$/).waitFor();
    expect(await panel.locator("pre.answer").textContent()).toContain('"status": "initiating"');
    expect(await panel.getByLabel("The same with curl").textContent()).toMatch(
      /^curl -X POST 'http.*\/calls\/initiate' -H 'content-type: application\/json' -d '\{"target_number":/,
    );
  });

  it("asks for what is required before it sends", async () => {
    const panel = page.locator("details", { hasText: "/sessions/{session_id}" }).first();
    await panel.locator("summary").click();
    await panel.getByRole("button", { name: "Send" }).click();
    await panel.getByText("session_id is required").waitFor();
    await panel.getByLabel("session_id").fill("nobody");
    await panel.getByRole("button", { name: "Send" }).click();
    await panel.getByText(/^404 Not Found in/).waitFor();
    expect(await panel.locator("pre.answer").textContent()).toContain('"type": "not_found"');
  });

  it("opens what a link names, offers choices, and shows what is answered and sent, in a window of any width", async () => {
    await page.goto("about:blank");
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${api.url}/docs#callsList`);
    const panel = page.locator("#callsList");
    await panel.getByText("Try it").waitFor();
    await panel.getByLabel("status_filter").selectOption("failed");
    expect(await panel.getByLabel("The same with curl").textContent()).toContain("status_filter=failed");
    await panel.getByText("CallListResponse").click();
    await panel.getByText("CallStatusResponse[]").click();
    await panel.getByText("Seconds since the call was connected").waitFor();
    expect([await overflowsSideways(page), await unreachableControls(page)]).toEqual([false, []]);
    await page.goto(`${api.url}/docs#browserConversation`);
    const socket = page.locator("#browserConversation");
    await socket.getByText("transcript", { exact: true }).click();
    await socket.getByText("is_final").first().waitFor();
    for (const [width, height] of [
      [360, 640],
      [740, 360],
      [320, 256],
      [640, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect([width, await overflowsSideways(page), await unreachableControls(page)]).toEqual([width, false, []]);
    }
    expect(await page.locator("body").innerText()).not.toContain("`");
    expect(await page.getByRole("link", { name: "Console" }).getAttribute("href")).toBe("/");
  });

  it("needs nothing from anywhere else, and breaks none of its own rules", () => {
    expect(foreign).toEqual([]);
    // The browser reports the 404 that the last test asked for.
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  describe("in production", () => {
    const client = "6f9619ff-8b86-4011-b42d-00c04fc964f3";
    let issuer: TokenIssuer;
    let closed: Api;

    beforeAll(async () => {
      issuer = await startTokenIssuer();
      const settings = loadSettings({
        ENABLE_AUTH_VALIDATION: "true",
        BACKEND_AUTH_CLIENT_ID: client,
        CLOUD_TENANT_ID: client,
        ALLOWED_CLIENT_IDS: client,
        AUTH_JWT_ISSUER: issuer.issuer,
        AUTH_JWKS_URL: issuer.jwksUrl,
      });
      const configuration = createEnvironmentConfiguration({ ...settings, environment: "production" });
      closed = await startApi({}, { configuration });
    });

    afterAll(async () => {
      await closed?.close();
      await issuer?.close();
    });

    it("[ACCESS-18] asks to sign in, and then reads the description with the user's token", async () => {
      const tab = await openPage(browser);
      await tab.goto(`${closed.url}/docs`);
      expect(await tab.getByRole("link", { name: "Sign in", exact: true }).getAttribute("href")).toBe("/#docs");
      expect(await tab.locator("details").count()).toBe(0);
      // As the console keeps what it was given.
      const accessToken = await issuer.sign({ aud: client, tid: client, azp: client, ver: "2.0", sub: "somebody" });
      const kept = JSON.stringify({ accessToken, expiresAtMs: Date.now() + 60_000 });
      await tab.evaluate((text) => sessionStorage.setItem("voice.tokens", text), kept);
      await tab.reload();
      await tab.getByRole("heading", { name: "WebSockets" }).waitFor();
      expect(await tab.locator("details").count()).toBeGreaterThan(40);
      await tab.close();
    });
  });
});
