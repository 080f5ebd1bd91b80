/** An operator takes a conversation over in the page, with their microphone, and hands it back; and what the overview says afterwards. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say } from "../support/console-page.ts";
import { freePort } from "../support/free-port.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { neverOverloaded } from "../support/never-overloaded.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { startTestService } from "../support/test-service.ts";

const sampleRateHz = 48_000;

describe.runIf(isChromiumAvailable())("an operator with a microphone", () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const settings = loadSettings({ PORT: `${port}`, ...neverOverloaded, HOST: "127.0.0.1" });
    service = await startTestService({
      settings,
      logger: silentLogger,
      pages: serveConsole(),
      localSpeech: decodedSpeech,
    });
    folder = await mkdtemp(join(tmpdir(), "console-takeover-"));
    const speech = await spokenLine({ text: "I want to check my balance", voice: "rms", sampleRateHz });
    // The microphone is opened before the service is asked for the conversation.
    const samples = new Int16Array(sampleRateHz * 30);
    samples.set(speech, sampleRateHz * 4);
    const microphoneWav = join(folder, "microphone.wav");
    await writeFile(microphoneWav, encodeWav({ sampleRateHz, channels: 1, samples }));
    browser = await launchChromium({ microphoneWav });
  });

  afterAll(async () => {
    await browser.close();
    await service.close(0);
    await rm(folder, { recursive: true });
  });

  const status = (page: Page, words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();

  it("[PERSON-4] [PERSON-6] [PERSON-7] takes over from any page, holds, hands back with notes, and is in the figures", async () => {
    const { page: talking } = await openConsole(browser, `${origin}/?scenario=default`);
    await say(talking, "I lost my card");
    await conversation(talking).getByText("hands over to").waitFor();

    const { page: operating, problems } = await openConsole(browser, `${origin}/#conversations`);
    await operating.getByRole("table").getByRole("link").first().click();
    await operating.getByRole("button", { name: "Take over" }).click();
    await status(operating, "You are speaking with the caller");
    await conversation(operating).getByText("A person takes over").waitFor();
    await status(operating, "A person has the conversation");
    expect(await operating.getByRole("button", { name: /^(End it|Listen in|Stop listening)$/ }).count()).toBe(0);
    await conversation(operating)
      .getByText(/check my balance/i)
      .waitFor(); // the operator's own words
    await keepScreenshot(operating, "takeover-live");

    await operating.getByRole("link", { name: "Overview" }).click();
    const bar = operating.getByRole("region", { name: "You have the conversation" });
    await operating.getByText("Contained").waitFor();
    expect(await accessibilityViolations(operating)).toEqual([]);
    await keepScreenshot(operating, "takeover-bar");
    await bar.getByRole("button", { name: "Mute" }).click();
    await bar.getByText("muted").waitFor();
    await bar.getByRole("button", { name: "Unmute" }).click();
    await bar.getByRole("button", { name: "Hold" }).click();
    await status(operating, "The caller is on hold");
    await bar.getByRole("button", { name: "Resume" }).click();
    await status(operating, "You are speaking with the caller");
    await say(talking, "are you still there");
    await bar.getByLabel("Notes for the agent").fill("The new card is on its way.");
    await bar.getByRole("button", { name: "Hand back to the agent" }).click();
    await bar.waitFor({ state: "detached" });

    await operating.goBack();
    await conversation(operating).getByText("The new card is on its way.").waitFor();
    await talking.close();

    await operating.goto(`${origin}/#overview/1`);
    await operating.getByText("Taken over").waitFor();
    const tile = (name: string) => operating.locator(".overview-tile", { hasText: name }).locator("dd");
    await expect.poll(() => tile("Conversations").innerText(), { timeout: 30_000 }).toBe("1");
    expect(await operating.getByRole("main").innerText()).toContain("Handoffs");
    expect(await accessibilityViolations(operating)).toEqual([]);
    await keepScreenshot(operating, "overview");
    await operating.setViewportSize({ width: 320, height: 640 });
    expect([await overflowsSideways(operating), await unreachableControls(operating)]).toEqual([false, []]);
    await keepScreenshot(operating, "overview-320");
    expect(problems).toEqual([]);
  });
});
