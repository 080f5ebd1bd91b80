/** The console in windows of every size that people have: by geometry, and by the rules of accessibility. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, waitForFocus } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { isInView, overflowsDown, overflowsSideways, unreachableControls } from "../support/layout.ts";
import { startScriptedService, type ScriptedService } from "../support/scripted-service.ts";

/** The last one is a window of 1280×800 at 200 %. */
const sizes = [
  { width: 360, height: 640 },
  { width: 740, height: 360 },
  { width: 320, height: 256 },
  { width: 640, height: 400 },
] as const;

describe.runIf(isChromiumAvailable())("the console in a small window", () => {
  let service: ScriptedService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startScriptedService({ msPerCharacter: 2, pages: serveConsole() });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function expectEverythingInReach(page: Page): Promise<void> {
    expect([await overflowsSideways(page), await overflowsDown(page)]).toEqual([false, false]);
    expect(await unreachableControls(page)).toEqual([]);
  }

  it("keeps the same distance to both edges on the Build page, where nothing is picked yet", async () => {
    const viewport = { width: 1280, height: 900 };
    const { page } = await openConsole(browser, `${service.origin}/#build`, { viewport });
    const stage = page.getByRole("region", { name: "What to build" });
    await stage.waitFor();
    const box = await stage.boundingBox();
    const main = await page.getByRole("main").boundingBox();
    const padding = 20;
    expect(box && main && Math.round(main.x + main.width - box.x - box.width)).toBe(padding);
  });

  it.each(sizes)(
    "of $width×$height shows the composer before and during a conversation, and what an operator can do",
    async (viewport) => {
      const { page } = await openConsole(browser, service.origin, { viewport });
      const name = `talk-${viewport.width}x${viewport.height}`;
      await page.getByRole("button", { name: "Start talking", exact: true }).waitFor();
      await keepScreenshot(page, `${name}-welcome`);
      for (const part of [".composer", ".tabs", ".hero-button"])
        expect([part, await isInView(page, part)]).toEqual([part, true]);
      await expectEverythingInReach(page);
      await page.reload();
      await say(page, "my balance please");
      await conversation(page).getByText("Your checking balance is").waitFor();
      await keepScreenshot(page, `${name}-conversation`);
      for (const part of [".composer", ".tabs"]) expect([part, await isInView(page, part)]).toEqual([part, true]);
      for (const fold of await page.locator("details.fold > summary").all()) await fold.click();
      await expectEverythingInReach(page);
      await page.goto(`${service.origin}/#conversations`);
      const listed = page.getByRole("table").getByRole("link").first();
      await listed.waitFor();
      await keepScreenshot(page, `watch-${viewport.width}x${viewport.height}-list`);
      await expectEverythingInReach(page);
      await listed.click();
      await page.getByRole("button", { name: "Listen in" }).waitFor();
      for (const part of [".operator-form button", ".operator-buttons button", ".operator-buttons .pill-end"])
        expect([part, await isInView(page, part)]).toEqual([part, true]);
      await keepScreenshot(page, `watch-${viewport.width}x${viewport.height}-live`);
      await expectEverythingInReach(page);
      const ending = page.getByRole("button", { name: "End conversation" });
      await ending.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await waitForFocus(page, ending);
    },
  );

  it("breaks no rule of accessibility, in light and in dark colours", async () => {
    const { page, problems } = await openConsole(browser, service.origin, { viewport: { width: 1280, height: 800 } });
    const expectNoViolation = async (what: string): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect([colorScheme, await accessibilityViolations(page)]).toEqual([colorScheme, []]);
        await keepScreenshot(page, `talk-${colorScheme}-${what}`);
      }
    };
    await page.getByRole("button", { name: "I lost my card" }).waitFor();
    await expectNoViolation("welcome");
    await say(page, "my balance please");
    await conversation(page).getByText("Your checking balance is").waitFor();
    for (const fold of await page.locator("details.fold > summary").all()) await fold.click();
    await expectNoViolation("conversation");
    expect(problems).toEqual([]);
  });

  it("says in forced colours, too, where one is, how loud it is, and where the keyboard is", async () => {
    const { page } = await openConsole(browser, service.origin, { viewport: { width: 1280, height: 800 } });
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "no-preference" });
    await say(page, "my balance please");
    await conversation(page).getByText("Your checking balance is").waitFor();
    const styleOf = (part: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(part)}))[${JSON.stringify(property)}]`);
    for (const part of [".tabs [aria-current]", ".agents [aria-current]", ".composer-field"])
      expect([part, await styleOf(part, "outlineStyle")]).toEqual([part, "solid"]);
    expect(await styleOf(".tabs a:not([aria-current])", "outlineStyle")).toBe("none");
    expect(await styleOf(".speech-visual path", "stroke")).not.toBe(await styleOf(".stage", "backgroundColor"));
    expect(await styleOf(".bubble", "borderTopStyle")).toBe("solid");
    await keepScreenshot(page, "talk-forced-colors");
  });

  it("writes words from right to left where their script does, and all others from left to right", async () => {
    const { page } = await openConsole(browser, service.origin, { viewport: { width: 1280, height: 800 } });
    await say(page, "أريد بطاقة جديدة.");
    await say(page, "my balance please");
    await conversation(page).getByText("Your checking balance is").waitFor();
    const written = (direction: "ltr" | "rtl", text: string) =>
      conversation(page).locator(`p.bubble:dir(${direction})`, { hasText: text }).count();
    expect(await written("rtl", "أريد بطاقة جديدة.")).toBeGreaterThan(0);
    expect(await written("ltr", "my balance please")).toBeGreaterThan(0);
  });
});
