/**
 * What an operator does in the page: takes a conversation over, with their microphone, and hands it back; and each of the jobs that come up
 * every day, in at most four actions.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { VoiceError } from "@voice/shared/platform/errors";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import { serveDialogues } from "../../local/dialogues/serve-dialogues.ts";
import type { PageListener, Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, talkWithoutPage } from "../support/console-page.ts";
import { freePort } from "../support/free-port.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { overflowsSideways, unreachableControls } from "../support/layout.ts";
import { neverOverloaded } from "../support/never-overloaded.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { performJobs } from "../support/operator-jobs.ts";
import { dial } from "../support/socket-client.ts";
import type { SocketClient } from "../support/socket-client.ts";
import { startTestService } from "../support/test-service.ts";

const sampleRateHz = 48_000;

/** In place of the program that holds dialogues: one that goes as written with each of the versions that it is given. */
const held = { name: "balance", passed: true, taken: 3, steps: 3, deviations: [] };
const holdsOne = `const versions = process.argv[process.argv.indexOf("--versions") + 1].split(",");
for (const version of versions) console.log(JSON.stringify({ ...${JSON.stringify(held)}, version: Number(version) }));`;

const liveCount = 20;

/** Of a page: each sound that it makes without a file. */
const tellsOfSounds = `const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function sound(...when) {
  soundStarted();
  return start.apply(this, when);
};`;

/** What no voice says here. */
const unspeakable = "eleven thousand";

function brokenFor(start: () => Promise<LocalSpeech>): () => Promise<LocalSpeech> {
  return async () => {
    const { recogniser, synthesiser } = await start();
    return {
      recogniser,
      synthesiser: {
        ...synthesiser,
        synthesise: (request, ...rest) =>
          request.text.toLowerCase().includes(unspeakable)
            ? Promise.reject(new VoiceError("upstream_unavailable", "the voice is broken"))
            : synthesiser.synthesise(request, ...rest),
      },
    };
  };
}

describe.runIf(isChromiumAvailable())("an operator with a microphone", () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    folder = await mkdtemp(join(tmpdir(), "console-takeover-"));
    const settings = loadSettings({
      PORT: `${port}`,
      ...neverOverloaded,
      HOST: "127.0.0.1",
      RECORDING_ENABLED: "true",
      RECORDING_DIR: folder,
    });
    const dialogues = serveDialogues(settings, [process.execPath, "-e", holdsOne, "--"]);
    const built = serveConsole();
    const pages: PageListener = (request, response) => dialogues(request, response) || built(request, response);
    service = await startTestService({ settings, logger: silentLogger, pages, localSpeech: brokenFor(decodedSpeech) });
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
    const caller = await talkWithoutPage(origin, "I lost my card", "?scenario=default");
    await caller.until("a handoff", () => caller.events("handoff")[0]);

    const { page: operating, problems } = await openConsole(browser, `${origin}/#conversations`);
    await operating.getByRole("table").getByRole("link").first().click();
    await operating.getByRole("button", { name: "Take over" }).click();
    await status(operating, "You are speaking with the caller");
    await conversation(operating).getByText("A person takes over").waitFor();
    await status(operating, "A person has the conversation");
    expect(await operating.getByRole("button", { name: /^(Listen in|Stop listening)$/ }).count()).toBe(0);
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
    caller.send({ type: "text", text: "are you still there" });
    await bar.getByLabel("Notes for the agent").fill("The new card is on its way.");
    await bar.getByRole("button", { name: "Hand back to the agent" }).click();
    await bar.waitFor({ state: "detached" });

    await operating.goBack();
    await conversation(operating).getByText("The new card is on its way.").waitFor();
    caller.socket.close(1000); // hangs up

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

  /** A caller who types, and hears each answer to its end. */
  async function call(name: string, ...texts: readonly string[]): Promise<SocketClient> {
    const path = `/api/v1/browser/conversation?session_id=session-${name}`;
    const caller = await dial(`${origin.replace("http", "ws")}${path}`);
    onTestFinished(() => caller[Symbol.dispose]());
    for (const text of texts) {
      const before = caller.events("playout_finished").length;
      caller.send({ type: "text", text });
      await caller.until(`the answer to ${text}`, () => caller.events("playout_finished")[before]);
    }
    return caller;
  }

  async function end(caller: SocketClient, name: string): Promise<void> {
    await fetch(`${origin}/api/v1/sessions/session-${name}/end`, { method: "POST" });
    await caller.closed;
  }

  it("[WALL-4] [WALL-5] sounds in one of two tabs for a conversation that needs somebody", async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    let sounds = 0;
    await context.exposeFunction("soundStarted", () => (sounds += 1));
    await context.addInitScript({ content: tellsOfSounds });
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    for (const page of tabs) {
      await page.goto(`${origin}/#live`);
      await page.getByRole("button", { name: "Alert sound" }).click();
    }
    await expect.poll(() => sounds).toBe(2); // what it sounds like
    const caller = await call("needs-somebody", "what is my balance");
    for (const page of tabs) await page.locator(".wall-card").waitFor();
    caller.send({ type: "text", text: "savings" });
    for (const page of tabs) await page.getByText(/, 1 needs somebody$/).waitFor();
    // Whether to sound is decided before the wall is drawn.
    for (const page of tabs) await page.evaluate("navigator.locks.query()");
    expect(sounds).toBe(3);
    const mark = (page: Page) => Promise.all([page.title(), page.locator("link[rel=icon]").getAttribute("href")]);
    for (const page of tabs)
      await expect.poll(() => mark(page)).toEqual(["(1) Live – Voice agents", "/favicon-alert.svg"]);
    await end(caller, "needs-somebody");
  });

  it(
    "[OPS-36] does each of the jobs that come up every day in at most four actions",
    { timeout: 180_000 },
    async () => {
      const [told, failed] = await Promise.all([
        call("told01-recorded", "what is my balance", "I lost my card"),
        call("failed-by-voice", "what is my balance", "savings"),
      ]);
      await Promise.all([end(told, "told01-recorded"), end(failed, "failed-by-voice")]);
      const names = Array.from({ length: liveCount }, (_, index) => `live${String(index).padStart(2, "0")}`);
      await Promise.all(names.map((name) => call(`${name}-in-progress`)));
      const { page, problems } = await openConsole(browser, origin);
      const { taken, expected } = await performJobs(page, origin, {
        told: "told01",
        failed: "failed",
        live: "live07",
        liveCount,
      });
      expect(taken).toEqual(expected);
      expect(problems.filter((problem) => !problem.includes("503"))).toEqual([]);
    },
  );
});
