/** The console's Build and Replay pages in a real browser against the real service. */
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import { serveDialogues } from "../../local/dialogues/serve-dialogues.ts";
import type { PageListener, Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, tabTo, waitForFocus } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { startTestService } from "../support/test-service.ts";

const wide = { width: 1280, height: 800 };
const sizes = [
  { width: 360, height: 640 },
  { width: 740, height: 360 },
  { width: 320, height: 256 },
  { width: 640, height: 400 },
] as const;

/** In place of the program that holds dialogues: one that goes as written, and one that does not. */
const held = [
  { name: "balance", passed: true, taken: 3, steps: 3, deviations: [] },
  {
    name: "lost card",
    passed: false,
    taken: 1,
    steps: 3,
    deviations: [{ did: "I lost it", expected: "Sorry", got: "Hello" }],
  },
];
const holdsTwo = `for (const line of ${JSON.stringify(held)}) console.log(JSON.stringify(line))`;

describe.runIf(isChromiumAvailable())("building and replaying", () => {
  let service: Service;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    const settings = loadSettings({ PORT: "0", HOST: "127.0.0.1", FLIGHT_RECORDER: "true" });
    const dialogues = serveDialogues(settings, [process.execPath, "-e", holdsTwo, "--"]);
    const built = serveConsole();
    const pages: PageListener = (request, response) => dialogues(request, response) || built(request, response);
    service = await startTestService({ settings, logger: silentLogger, pages });
    origin = `http://127.0.0.1:${service.port}`;
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await service.close(0);
  });

  async function expectGoodLooks(page: Page, name: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await accessibilityViolations(page)).toEqual([]);
      await keepScreenshot(page, `${name}-${colorScheme}`);
    }
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect([size, await overflowsSideways(page)]).toEqual([size, false]);
      expect([size, await unreachableControls(page)]).toEqual([size, []]);
      await keepScreenshot(page, `${name}-${size.width}x${size.height}`);
    }
    await page.setViewportSize(wide);
  }

  it("[BUILD-2] says what is wrong at its field, and talks with an agent as it was changed", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#build/agent/card-specialist`, { viewport: wide });
    await page.getByLabel("Greeting", { exact: true }).fill("Cards, at night.");
    await page.getByLabel("Speed").fill("fast");
    await page.getByRole("button", { name: "Talk with it" }).click();
    const speed = page.locator(".field", { hasText: "Speed" });
    await speed.getByText("signed percentage").waitFor();
    expect(await page.getByLabel("Speed").getAttribute("aria-invalid")).toBe("true");
    // The browser says of every refusal that it was one.
    expect(problems.filter((problem) => !problem.includes("422"))).toEqual([]);
    await expectGoodLooks(page, "build-agent");
    await page.getByLabel("Speed").fill("+5%");
    await page.getByRole("button", { name: "Talk with it" }).click();
    await conversation(page).getByText("Cards, at night.").waitFor();
    await page.goto(`${origin}/#build/scenario/banking`);
    await page.locator('.handoff-agent[data-active="true"]', { hasText: "Card specialist" }).waitFor();
    await expectGoodLooks(page, "build-scenario");
  });

  it("[BUILD-1] keeps a draft over a reload, [BUILD-3] applies a voice to all, [BUILD-4] downloads files, [BUILD-5] holds dialogues", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#build/agent/front-desk`, { viewport: wide });
    await page.getByLabel("Speed").fill("+7%");
    await page.reload();
    await page.getByText("Draft kept in this tab").waitFor();
    expect(await page.getByLabel("Speed").inputValue()).toBe("+7%");
    await page.getByRole("button", { name: "Apply model and voice to all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change it" }).click();
    await page.locator(".part-head").getByRole("status").getByText("front-desk").waitFor();
    expect(await service.state.agents.override("front-desk")).toMatchObject({
      document: { voice: { voice_rate: "+7%" } },
    });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as YAML" }).click();
    expect((await download).suggestedFilename()).toBe("front-desk.zip");
    await page.getByText("Rules and guardrails").click();
    await page.getByLabel("Guardrails", { exact: true }).fill("rival: [");
    await page.getByText(/^Line 1: /).waitFor();
    await page.getByRole("button", { name: "Undo all changes" }).click();
    expect(await page.getByLabel("Speed").inputValue()).toBe("");
    await page.goto(`${origin}/#build/scenario/default`);
    await page.getByRole("button", { name: "Run its dialogues" }).click();
    await page.getByText("1 of 2 passed.").waitFor();
    await page.getByText("failed at step 1 of 3").click();
    await page.getByText("Hello", { exact: true }).waitFor();
    await keepScreenshot(page, "build-dialogues");
    expect(problems).toEqual([]);
  });

  it("[PUBLISH-1] [PUBLISH-2] chooses tools by what they do, and says when a trial is out of date or of something else", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#build/agent/front-desk`, { viewport: wide });
    await page.getByLabel("Find a tool").fill("block");
    const tool = page.getByRole("checkbox", { name: /block_card/ });
    await tool.check();
    await page.getByRole("button", { name: "Talk with it" }).click();
    await conversation(page).getByText("Thank you for calling").waitFor();
    const trial = page.getByRole("complementary", { name: "Try it" });
    expect(await trial.getByText("Out of date").count()).toBe(0);
    await page.getByLabel("Greeting", { exact: true }).fill("Good evening.");
    await trial.getByText("Out of date").waitFor();
    await page.goto(`${origin}/#build/agent/card-specialist`);
    await trial.getByText("is no trial of this").waitFor();
    expect(await conversation(page).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("[BUILD-6] [BUILD-7] [BUILD-9] tries one tool by itself, asks before it changes something, and shows what came of it", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#build/agent/card-specialist`, { viewport: wide });
    const opens = page.getByRole("button", { name: "Try it: block_card" });
    await opens.scrollIntoViewIfNeeded();
    expect(await accessibilityViolations(page)).toEqual([]);
    await keepScreenshot(page, "build-tools");
    await opens.click();
    const dialog = page.getByRole("dialog", { name: "Try block_card" });
    await dialog.getByText("Blocks a lost or stolen card").waitFor();
    await dialog.getByText("A caller who waits hears “I am blocking it now.”").waitFor();
    await dialog.getByRole("button", { name: "Try it" }).click();
    await dialog.getByText("What it was given does not fit").waitFor();
    await dialog.getByLabel("card", { exact: true }).selectOption("credit");
    await expectGoodLooks(page, "build-tool-refused");
    await dialog.getByRole("button", { name: "Try it" }).click();
    const asks = page.getByRole("dialog", { name: "Run block_card for real?" });
    await asks.getByText("really done").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await asks.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("It did not run").waitFor();
    await dialog.getByRole("button", { name: "Try it" }).click();
    await asks.getByRole("button", { name: "Run it" }).click();
    await dialog.getByRole("heading", { name: "Done" }).waitFor();
    await dialog.getByText('"status": "blocked"').waitFor();
    await dialog.getByText('"last_card": "credit"').waitFor();
    await expectGoodLooks(page, "build-tool-done");
    await dialog.getByRole("button", { name: "Close" }).click();
    await waitForFocus(page, opens);
    const [record] = await service.state.audit.list({ about: "block_card", limit: 1 });
    expect(record).toMatchObject({ action: "tryTool", what: { tool: "block_card", agent: "card-specialist" } });
    expect(problems).toEqual([]);
  });

  it("[PUBLISH-4] [PUBLISH-8] publishes what was changed, for everybody, and rolls it back", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#build/agent/insurance-desk`, { viewport: wide });
    await page.getByLabel("Greeting", { exact: true }).fill("Insurance, at night.");
    await page.getByRole("button", { name: "Publish…" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish what you changed" });
    await dialog.getByText("+ Insurance, at night.").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await keepScreenshot(page, "build-publish");
    await dialog.getByLabel("What was changed, and why").fill("At night");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.locator(".part-head").getByText("Published as version 1").waitFor();
    const { page: talking } = await openConsole(browser, `${origin}/?scenario=insurance`);
    await say(talking, "hello");
    await talking.getByRole("status").getByText("Insurance desk is").waitFor();
    const [begun] = (await service.state.sessions.list({ offset: 0, limit: 1 })).sessions;
    expect(begun?.release).toBe(1);
    await talking.getByRole("button", { name: "End the conversation" }).click();
    await page.goto(`${origin}/#build`);
    await page
      .getByRole("row", { name: /At night/ })
      .getByText("100 %")
      .waitFor();
    await expectGoodLooks(page, "build-versions");
    await page
      .getByRole("row", { name: /catalog’s files/ })
      .getByRole("button", { name: "Roll back to it" })
      .click();
    await page
      .getByRole("row", { name: /catalog’s files/ })
      .getByText("100 %")
      .waitFor();
    expect(problems).toEqual([]);
  });

  it("[ROUTE-10] edits the table of routes by keyboard, publishes it with its differences, and rolls it back", async () => {
    const { page, problems } = await openConsole(browser, `${origin}/#system`, { viewport: wide });
    const panel = page.getByRole("region", { name: "Numbers and channels" });
    await tabTo(page, panel.getByRole("button", { name: "Edit" }));
    await page.keyboard.press("Enter");
    await tabTo(page, panel.getByRole("button", { name: "Another row" }));
    await page.keyboard.press("Enter");
    await waitForFocus(page, panel.getByLabel("What is called"));
    await page.keyboard.press("Tab");
    await page.keyboard.insertText("+12025550100");
    await panel.getByLabel("Scenario", { exact: true }).selectOption("insurance");
    await panel.getByLabel("Hours", { exact: true }).fill("mon-fri: 25:00-26:00");
    await panel.getByLabel("Outside of the hours").selectOption("say");
    await panel.getByLabel("The sentence").fill("We are closed.");
    const publish = async (note: string): Promise<void> => {
      await panel.getByRole("button", { name: "Publish…" }).click();
      await page.getByRole("dialog").getByLabel("What was changed, and why").fill(note);
      await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    };
    await publish("Hours");
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await panel.getByText("expected a span such as 08:00-18:00").waitFor();
    await expectGoodLooks(page, "system-routes");
    await panel.getByLabel("Hours", { exact: true }).fill("");
    await panel.getByLabel("Outside of the hours").selectOption("");
    await panel.getByRole("button", { name: "Another row" }).click();
    await panel.getByLabel("What is called").last().selectOption("browser");
    await page.reload();
    await panel.getByText("Draft kept in this tab").waitFor();
    await panel.getByRole("button", { name: "Publish…" }).click();
    await page.getByRole("dialog").getByText("+12025550100.scenario").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await publish("Insurance by phone");
    await panel.getByText("Published as version").waitFor();
    const download = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download as YAML" }).click();
    expect((await download).suggestedFilename()).toBe("routes.yaml");
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.getByRole("listitem").filter({ hasText: "+12025550100" }).getByText("insurance").waitFor();
    await panel.getByRole("button", { name: "Edit" }).click();
    await panel
      .getByRole("row", { name: /catalog’s files/ })
      .getByRole("button", { name: "Roll back to it" })
      .click();
    await expect.poll(() => panel.getByRole("group").count()).toBe(0);
    expect(problems.filter((problem) => !problem.includes("422"))).toEqual([]);
  });

  it("[FLIGHT-6a] steps through a conversation by keyboard", async () => {
    const { page, problems } = await openConsole(browser, origin, { viewport: wide });
    await say(page, "I lost my card");
    await page.getByRole("status").getByText("Card specialist is").waitFor();
    await page.getByRole("button", { name: "End the conversation" }).click();
    const [id] = (await service.state.sessions.list({ offset: 0, limit: 1 })).sessions.map(
      ({ sessionId }) => sessionId,
    );
    const after = page.getByRole("link", { name: "Transcript, recording and latency" });
    expect(await after.getAttribute("href")).toContain(id);
    await expect.poll(async () => (await service.state.flightLog.read(id ?? "")).length).toBeGreaterThan(0);
    await page.goto(`${origin}/#replay/${id}`);
    await page.getByText("each is decided as it was then").waitFor();
    const steps = page.getByRole("listbox", { name: "Steps" });
    await waitForFocus(page, steps);
    await page.keyboard.press("ArrowDown");
    await page.getByText("Step 2 of").waitFor();
    await expectGoodLooks(page, "replay");
    const name = page.getByLabel("What it shows");
    await tabTo(page, name);
    await page.keyboard.insertText("The caller lost a card".padEnd(212, "."));
    await page.getByRole("alert").getByText("200 characters are the limit").waitFor();
    await page.keyboard.press("Enter");
    await expectGoodLooks(page, "replay-too-long");
    await name.fill("The caller lost a card");
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    expect((await download).suggestedFilename()).toBe("the-caller-lost-a-card.json");
    expect(problems).toEqual([]);
  });
});
