/** The console when a page of it cannot be loaded, and while its own conversation goes on on another page. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveConsole } from "../../local/console/serve-console.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, talkToScripted } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways } from "../support/layout.ts";
import { startScriptedService, type ScriptedService } from "../support/scripted-service.ts";

const chunk = /assets\/build-page-.*\.js/;
const bar = (page: Page) => page.getByRole("region", { name: "Your conversation" });

describe.runIf(isChromiumAvailable())("the console", { timeout: 60_000 }, () => {
  let browser: Browser;
  let service: ScriptedService;
  beforeAll(async () => {
    browser = await launchChromium();
    service = await startScriptedService({ msPerCharacter: 2, pages: serveConsole() });
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function talking(): Promise<Page> {
    const { page } = await openConsole(browser, service.origin, { viewport: { width: 1280, height: 800 } });
    await say(page, "hello");
    await conversation(page).getByText("You said: hello").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    return page;
  }

  it("[OPS-15] keeps everything else when a page cannot be loaded, and shows it once it can", async () => {
    const page = await talking();
    await page.route(chunk, (route) => route.abort());
    await page.getByRole("link", { name: "Build" }).click();
    await page.getByRole("alert").getByText("This page could not be loaded.").waitFor();
    await bar(page).getByRole("button", { name: "End" }).waitFor();
    await keepScreenshot(page, "page-not-loaded");
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Conversations" }).click();
    await page.getByRole("table").waitFor();
    await page.unroute(chunk);
    await page.getByRole("link", { name: "Build" }).click();
    await page.getByRole("navigation", { name: "Agents and scenarios" }).waitFor();
  });

  it("[OPS-15] loses no conversation by the reload that it offers", async () => {
    const page = await talking();
    await page.route(chunk, (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("link", { name: "Build" }).click();
    const reload = page.getByRole("alert").getByRole("button", { name: "Reload" });
    await reload.waitFor();
    await page.unroute(chunk);
    await reload.click();
    await bar(page).waitFor();
    await bar(page).getByRole("link", { name: "Open" }).click();
    await conversation(page).getByText("You said: hello").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("[OPS-16] says on every page that its own conversation goes on, and ends it from there", async () => {
    const page = await talking();
    expect(await bar(page).count()).toBe(0);
    for (const name of ["Calls", "Live", "Conversations", "Build", "System"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await bar(page).getByText("is listening").waitFor();
      await bar(page).getByRole("button", { name: "Unmute" }).waitFor();
      expect([name, await accessibilityViolations(page)]).toEqual([name, []]);
      await keepScreenshot(page, `bar-on-${name.toLowerCase()}`);
    }
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await overflowsSideways(page)).toBe(false);
    await bar(page).getByRole("button", { name: "End" }).click();
    await bar(page).waitFor({ state: "detached" });
  });

  it("[WALL-1] shows what is said in a live conversation, and leads to it", async () => {
    await talkToScripted(service.origin, "hello");
    const { page, problems } = await openConsole(browser, `${service.origin}/#live`);
    const card = page.getByRole("listitem").filter({ hasText: "You said: hello" }).first();
    await card.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await keepScreenshot(page, "live");
    await card.getByRole("link").click();
    await conversation(page).getByText("You said: hello").waitFor();
    expect(problems).toEqual([]);
  });

  it("says that an address names no page, and leads back", async () => {
    const { page } = await openConsole(browser, `${service.origin}/#nonsense`);
    await page.getByRole("heading", { name: "No such page" }).last().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Talk with the agents" }).click();
    await page.getByRole("button", { name: "Start talking" }).waitFor();
  });

  it("[OPS-14] says on every page that nothing can begin, and why the buttons are off", async () => {
    const { page } = await openConsole(browser, "about:blank", { viewport: { width: 1280, height: 800 } });
    await page.route("**/api/v1/readiness", (route) =>
      route.fulfill({
        status: 503,
        json: {
          status: "not_ready",
          checks: [
            { component: "speech_services", status: "unhealthy", check_time_ms: 3, error: "It did not answer." },
          ],
        },
      }),
    );
    await page.goto(service.origin);
    await page.getByText("No conversation can begin. What does not work: speech. See System").waitFor();
    expect(await page.getByRole("button", { name: "Start talking" }).getAttribute("aria-disabled")).toBe("true");
    expect(await accessibilityViolations(page)).toEqual([]);
    await keepScreenshot(page, "talk-degraded");
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.getByRole("button", { name: "Call", exact: true, disabled: true }).waitFor();
    await page.getByRole("alert").click();
    await page.getByRole("region", { name: "Readiness" }).waitFor();
  });
});
