/** An operator at the console, beside a conversation that goes on in another page: real service, real browser. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say } from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { heardFromLoudspeaker } from "../support/loudspeaker.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { neverOverloaded } from "../support/never-overloaded.ts";
import { startTestService } from "../support/test-service.ts";

describe.runIf(isChromiumAvailable())("the console of an operator", { timeout: 90_000 }, () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "console-watch-"));
    const settings = loadSettings({
      PORT: "0",
      ...neverOverloaded,
      HOST: "127.0.0.1",
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
    });
    service = await startTestService({ settings, logger: silentLogger, pages: await serveConsole() });
    origin = `http://127.0.0.1:${service.port}`;
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
    await service.close(0);
    await rm(folder, { recursive: true });
  });

  const status = (page: Page, words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();

  it("[OPS-2] hears a conversation, [OPS-3] has a line said, [OPS-5] ends it, and plays the recording", async () => {
    const { page: talking } = await openConsole(browser, `${origin}/?scenario=default`);
    await say(talking, "I lost my card");
    await conversation(talking).getByText("hands over to").waitFor();

    const { page: watching, problems } = await openConsole(browser, `${origin}/#watch`, { recordsLoudspeaker: true });
    await watching.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
    await conversation(watching).getByText("handoff_to_agent").waitFor();
    await conversation(watching).getByText("hands over to").waitFor();
    await watching.getByRole("button", { name: "Listen in" }).click();
    await conversation(watching).getByText("An operator listens in.").waitFor();

    const line = "A colleague will call you back this afternoon.";
    await watching.getByLabel("A line for the agent to say").fill(line);
    await watching.keyboard.press("Enter");
    await conversation(talking).getByText(line).waitFor({ timeout: 20_000 });
    await status(watching, "is speaking");
    await keepScreenshot(watching, "watch-live");
    expect(await accessibilityViolations(watching)).toEqual([]);
    await status(watching, "is listening");
    expect(rmsLevel(await heardFromLoudspeaker(watching))).toBeGreaterThan(0.005);

    await watching.getByRole("button", { name: "End it" }).click();
    await watching.getByRole("dialog").getByRole("button", { name: "End it" }).click();
    await status(watching, "Ended, because an operator ended it");
    await status(talking, "The conversation is over");

    await watching.reload();
    await status(watching, "Ended");
    await conversation(watching).getByText("handoff_to_agent").waitFor();
    await watching.getByRole("button", { name: "Load it" }).click();
    await watching.getByRole("button", { name: line }).click();
    await expect.poll(() => watching.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(1);
    await keepScreenshot(watching, "watch-ended");
    expect(await accessibilityViolations(watching)).toEqual([]);
    await watching.setViewportSize({ width: 360, height: 640 });
    expect([await overflowsSideways(watching), await unreachableControls(watching)]).toEqual([false, []]);
    await keepScreenshot(watching, "watch-360x640");
    expect(problems).toEqual([]);
  });
});
