/** An operator at the console: conversations of other pages, and phone calls. Real service, real browser, simulated network. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startLocalPhoneNetwork, type PhoneNetwork } from "../../local/phone-network.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, tabTo } from "../support/console-page.ts";
import { freePort } from "../support/free-port.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { heardFromLoudspeaker } from "../support/loudspeaker.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { neverOverloaded } from "../support/never-overloaded.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { startTestService } from "../support/test-service.ts";

const smallSizes = [
  { width: 360, height: 640 },
  { width: 740, height: 360 },
  { width: 320, height: 256 },
  { width: 640, height: 400 },
] as const;

const microphoneRateHz = 48_000;
/** The greeting is heard first. */
const speaksAfterMs = 7000;

describe.runIf(isChromiumAvailable())("the console of an operator", () => {
  let service: Service;
  let network: PhoneNetwork;
  let browser: Browser;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "console-watch-"));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    network = await startLocalPhoneNetwork({ baseUrl: origin });
    const settings = loadSettings({
      PORT: `${port}`,
      ...neverOverloaded,
      HOST: "127.0.0.1",
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
      ...network.environment,
    });
    const phones = network.browserPhones.handleUpgrade;
    // What comes through a browser's microphone is no line that this process has spoken any more.
    service = await startTestService({
      settings,
      logger: silentLogger,
      pages: serveConsole(),
      phones,
      localSpeech: decodedSpeech,
    });
    await network.connect();
    browser = await launchChromium({ microphoneWav: await recordMicrophone("I want to check my balance") });
  });

  afterAll(async () => {
    await browser.close();
    await service.close(0);
    await network.close();
    await rm(folder, { recursive: true });
  });

  async function recordMicrophone(text: string): Promise<string> {
    const speech = await spokenLine({ text, voice: "rms", sampleRateHz: microphoneRateHz });
    const before = (microphoneRateHz * speaksAfterMs) / 1000;
    const samples = new Int16Array(before + speech.length + microphoneRateHz * 30);
    samples.set(speech, before);
    const path = join(folder, "microphone.wav");
    await writeFile(path, encodeWav({ sampleRateHz: microphoneRateHz, channels: 1, samples }));
    return path;
  }

  const status = (page: Page, words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();

  it("[OPS-2a] hears a conversation, [OPS-3a] has a line said, [OPS-5] ends it, and plays the recording", async () => {
    const { page: talking } = await openConsole(browser, `${origin}/?scenario=default`);
    await say(talking, "I lost my card");
    await conversation(talking).getByText("hands over to").waitFor();

    const { page: watching, problems } = await openConsole(browser, `${origin}/#conversations`, {
      recordsLoudspeaker: true,
    });
    const live = watching.getByRole("button", { name: "Live", exact: true });
    await live.click();
    expect(new URL(watching.url()).hash).toBe("#conversations?outcome=in_progress");
    await watching.goBack();
    await expect.poll(() => live.getAttribute("aria-pressed")).toBe("false");
    await watching.goForward();
    await keepScreenshot(watching, "conversations");
    expect(await accessibilityViolations(watching)).toEqual([]);
    await watching.getByRole("table").getByRole("link").first().click();
    expect(new URL(watching.url()).hash).toMatch(/^#conversations\/.+\?outcome=in_progress$/);
    await conversation(watching).getByText("handoff_to_agent").waitFor();
    await conversation(watching).getByText("hands over to").waitFor();
    await watching.getByRole("button", { name: "Listen in" }).click();
    await conversation(watching).getByText("An operator listens in.").waitFor();

    const line = "A colleague will call you back this afternoon.";
    await watching.getByLabel("A line for the agent to say").fill(line);
    await watching.keyboard.press("Enter");
    await conversation(talking).getByText(line).waitFor();
    await status(watching, "is speaking");
    await keepScreenshot(watching, "watch-live");
    expect(await accessibilityViolations(watching)).toEqual([]);
    await status(watching, "is listening");
    await status(watching, "The agent has said it.");
    expect(rmsLevel(await heardFromLoudspeaker(watching))).toBeGreaterThan(0.005);

    await watching.getByRole("button", { name: "End conversation" }).click();
    await watching.getByRole("dialog").getByRole("button", { name: "End conversation" }).click();
    await status(watching, "Ended, because an operator ended it");
    await status(talking, "The conversation is over");

    // A short recording is loaded with the page, so a proxy that answers in its place does so before.
    await watching.route("**/recording", (route) =>
      route.fulfill({ body: "<!doctype html><p>Sign in to the proxy".padEnd(99) }),
    );
    await watching.reload();
    await status(watching, "Ended");
    await conversation(watching).getByText("handoff_to_agent").waitFor();
    await watching.getByRole("alert").getByText("is no WAV file").waitFor();
    await watching.unroute("**/recording");
    // A sentence is played by a click on its text, which loads a recording anew that could not be loaded.
    await conversation(watching).locator(".entry-agent .sentence").last().click();
    await watching.getByRole("button", { name: "Pause" }).waitFor();
    await keepScreenshot(watching, "watch-ended");
    expect(await accessibilityViolations(watching)).toEqual([]);
    await watching.setViewportSize({ width: 360, height: 640 });
    expect([await overflowsSideways(watching), await unreachableControls(watching)]).toEqual([false, []]);
    await keepScreenshot(watching, "watch-360x640");
    expect(problems).toEqual([]);
  });

  it("[OUT-3b] says what became of calls, answers one by keyboard and microphone, calls the service, and says how it is", async () => {
    const viewport = { width: 1280, height: 800 };
    const { page, problems } = await openConsole(browser, `${origin}/#calls`, { viewport });
    const phone = (about: string) => page.getByRole("button", { name: about, exact: true });
    const latest = page.getByRole("list", { name: "Calls" }).getByRole("listitem").first();
    await phone("busy").waitFor();
    await tabTo(page, phone("busy"));
    await page.keyboard.press("Enter");
    await tabTo(page, phone("Call"));
    await page.keyboard.press("Enter");
    await latest.getByText("Busy", { exact: true }).waitFor();

    await page.getByLabel("Number", { exact: true }).fill("+1 202 555 0187");
    await page.keyboard.press("Enter");
    await tabTo(page, phone("Answer"));
    await keepScreenshot(page, "calls-ringing");
    await page.keyboard.press("Enter");
    await status(page, "You are on the phone");
    await latest.getByText("Talking").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await latest.getByRole("link", { name: "Watch" }).click();
    await conversation(page)
      .locator(".entry-user", { hasText: /check my balance/i })
      .waitFor();
    const figures = page.locator(".figures thead");
    await figures.waitFor();
    await page.getByText("Outgoing, to +12025550187").waitFor();
    for (const { width, height } of [viewport, ...smallSizes]) {
      await page.setViewportSize({ width, height });
      expect([width, await overflowsSideways(page), await unreachableControls(page)]).toEqual([width, false, []]);
      await keepScreenshot(page, `watch-phone-${width}x${height}`);
    }
    await page.setViewportSize(viewport);
    await page.getByRole("region", { name: "Phone" }).getByRole("button", { name: "Hang up" }).click();
    await status(page, "Ended, because the person called hung up");
    await page.reload();
    await status(page, "Ended, because the person called hung up");
    await figures.waitFor();
    await keepScreenshot(page, "watch-phone-ended");

    await page.getByRole("link", { name: "Calls" }).click();
    await phone("Call the service").click();
    await status(page, "You are on the phone");
    await latest.getByText("Talking").waitFor();
    // A slip of the finger must not cut a caller off: the call goes on until the question is answered.
    const question = page.getByRole("dialog", { name: "Hang up this call?" });
    await latest.getByRole("button", { name: "Hang up" }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await latest.getByText("Talking").waitFor();
    await latest.getByRole("button", { name: "Hang up" }).click();
    await question.getByRole("button", { name: "Hang up" }).click();
    await latest.getByText(/^Ended/).waitFor();
    await page.getByText("The call is over: the service hung up.").waitFor();

    await page.getByRole("link", { name: "All calls" }).click();
    await page.getByText("3 conversations").waitFor();
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await page.getByLabel("Search by number, address or id").fill("0180");
    await page.keyboard.press("Enter");
    await page.getByText("1 conversation", { exact: true }).waitFor();
    await page.getByRole("row", { name: "Busy" }).getByRole("link").click();
    await page.getByText("What happened").click();
    await page.getByText("The call could not be placed: busy").waitFor();
    await page.goto(`${origin}/#calls`);
    for (const { width, height } of [viewport, ...smallSizes]) {
      await page.setViewportSize({ width, height });
      expect([width, await overflowsSideways(page), await unreachableControls(page)]).toEqual([width, false, []]);
      await keepScreenshot(page, `calls-${width}x${height}`);
    }
    await page.setViewportSize(viewport);
    await page.goto(`${origin}/#calls`);
    await phone("Call the service").click();
    await latest.getByText("Talking").waitFor();
    await latest.locator("summary", { hasText: "Transfer" }).click();
    await latest.getByLabel("Transfer the call to").fill(phoneNumbers.colleague);
    await latest.getByRole("button", { name: "Transfer" }).click();
    await latest.getByText(/^Transferred/).waitFor();
    await keepScreenshot(page, "calls-transferred");
    await page.getByRole("link", { name: "System" }).click();
    await page.getByText("The service is ready.").waitFor();
    await page.getByText("takes new conversations").waitFor();
    await page.getByLabel("Find a setting").fill("comm_connection_string");
    await page.getByText("set, and not shown").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    for (const { width, height } of [viewport, ...smallSizes]) {
      await page.setViewportSize({ width, height });
      expect([width, await overflowsSideways(page), await unreachableControls(page)]).toEqual([width, false, []]);
      await keepScreenshot(page, `system-${width}x${height}`);
    }
    expect(problems).toEqual([]);
  });
});
