/** One conversation in the console, on its line of time, in a real browser against the real service. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { dial } from "../support/socket-client.ts";
import { startTestService } from "../support/test-service.ts";
import { eventually } from "../support/wait.ts";

const wide = { width: 1440, height: 900 };
const sessionId = "session-on-its-line-of-time";

describe.runIf(isChromiumAvailable())("a conversation on its line of time", { timeout: 120_000 }, () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "timeline-"));
    const settings = loadSettings({
      PORT: "0",
      HOST: "127.0.0.1",
      FLIGHT_RECORDER: "true",
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
    });
    service = await startTestService({ settings, logger: silentLogger, pages: serveConsole() });
    origin = `http://127.0.0.1:${service.port}`;
    browser = await launchChromium();
    await talk();
  }, 180_000);

  afterAll(async () => {
    await browser.close();
    await service.close(0);
    await rm(folder, { recursive: true });
  });

  /** Typed, so that it is the same each time, and by nobody who has a page; the agents' voices are recorded. */
  async function talk(): Promise<void> {
    const path = `/api/v1/browser/conversation?session_id=${sessionId}`;
    using caller = await dial(`${origin.replace("http", "ws")}${path}`);
    const isAnswered = async (text: string): Promise<void> => {
      const before = caller.events("playout_finished").length;
      caller.send({ type: "text", text });
      await caller.until(`the answer to ${text}`, () => caller.events("playout_finished")[before]);
    };
    await isAnswered("what is my balance");
    await isAnswered("I lost my card");
    await fetch(`${origin}/api/v1/sessions/${sessionId}/end`, { method: "POST" });
    await caller.closed;
    await eventually(
      async () => (await service.state.messageLog.read(sessionId)).join("").includes("session_ended"),
      "the end is stored",
    );
  }

  async function open(path = sessionId) {
    const opened = await openConsole(browser, `${origin}/#watch/${path}`, { viewport: wide });
    await conversation(opened.page).getByText("hands over to").waitFor();
    return opened;
  }

  async function download(page: Page, name: RegExp): Promise<{ readonly file: string; readonly text: string }> {
    const arrived = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const file = await arrived;
    return { file: file.suggestedFilename(), text: (await readFile(await file.path())).toString("latin1") };
  }

  it("[TIMELINE-9] plays from the sentence that is clicked, and shows which is heard", async () => {
    const { page, problems } = await open();
    const sentences = conversation(page).locator(".entry-agent .sentence");
    await sentences.first().waitFor();
    await page.locator(".timeline-lane-agent path").waitFor();
    await sentences.nth(1).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await conversation(page).locator(".sentence[aria-current]").waitFor();
    await keepScreenshot(page, "timeline-playing");
    const place = async () => Number(await page.getByLabel("Place in the recording").inputValue());
    await expect.poll(place).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Pause" }).click();
    expect(await page.locator(".timeline-mark-handoff").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("[TIMELINE-1] [TIMELINE-8] has the stages of each answer beside it, its p50 and p95, durations of tools, and all messages", async () => {
    const { page, problems } = await open();
    const answer = conversation(page).locator(".entry-agent", { hasText: "Checking or savings" }).first();
    await answer.locator(".turn-latency summary").click();
    await answer.locator(".turn-latency dd").first().waitFor();
    expect(await page.locator(".figures thead").innerText()).toMatch(/p50\s+p95/);
    expect(await page.locator('.figures [data-stage="total"]').innerText()).toMatch(/Answer\s+[\d,]+ ms\s+[\d,]+ ms/);
    await conversation(page)
      .getByText(/done · \d+ ms/)
      .first()
      .waitFor();
    await page.getByText(/^Messages \([1-9]/).click();
    await page.getByText("event session_ended").waitFor();
    expect(problems).toEqual([]);
  });

  it("[TIMELINE-10] [TIMELINE-11] opens the prompt as it was sent with one click, and gives the conversation as files", async () => {
    const { page, problems } = await open();
    await conversation(page).getByRole("button", { name: "Prompt" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Sent to the model" });
    await dialog.getByText("You are the front desk of Harbor Bank").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await keepScreenshot(page, "timeline-prompt");
    const place = () => dialog.getByText(/^\d+ of \d+$/).innerText();
    const first = await place();
    await dialog.getByRole("button", { name: "Later" }).click();
    expect(await place()).not.toBe(first);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });

    await page.getByText("Download", { exact: true }).click();
    expect(await download(page, /^Text/)).toMatchObject({
      file: `${sessionId}.txt`,
      text: expect.stringContaining("balance"),
    });
    expect((await download(page, /^JSON/)).text).toContain('"conversation_history"');
    expect((await download(page, /^Captions/)).text).toMatch(/^WEBVTT/);
    expect((await download(page, /^Recording/)).text).toMatch(/^RIFF/);
    const flight = await download(page, /^Flight record/);
    for (const part of ['"segments"', '"tool_call"', '"handoff"', '"model_requests":[{'])
      expect(flight.text).toContain(part);
    expect(problems).toEqual([]);
  });

  it("[TIMELINE-12] goes back to the newest entry with one click, has no fault that axe finds, and fits into any window", async () => {
    const { page, problems } = await open();
    await page.setViewportSize({ width: 1100, height: 480 });
    await page.getByRole("button", { name: "Jump to newest" }).click();
    await page.getByRole("button", { name: "Jump to newest" }).waitFor({ state: "hidden" });
    await page.setViewportSize(wide);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await accessibilityViolations(page)).toEqual([]);
      await keepScreenshot(page, `timeline-${colorScheme}`);
    }
    for (const size of [
      { width: 320, height: 600 },
      { width: 740, height: 360 },
      { width: 1024, height: 768 },
    ]) {
      await page.setViewportSize(size);
      expect([size, await overflowsSideways(page)]).toEqual([size, false]);
      expect([size, await unreachableControls(page)]).toEqual([size, []]);
      await keepScreenshot(page, `timeline-${size.width}x${size.height}`);
    }
    expect(problems).toEqual([]);
  });
});
