/** The console in a real browser against the real service: typed words, spoken words, somebody who watches. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import { encodeWav } from "@voice/provider-kit/audio/wav";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { z } from "zod";
import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import {
  conversation,
  keepScreenshot,
  openConsole,
  say,
  talkToScripted,
  waitForFocus,
} from "../support/console-page.ts";
import { launchChromium, type LaunchOptions } from "../support/chromium.ts";
import { createJudge, wordErrorRate } from "../support/judge.ts";
import { heardFromLoudspeaker } from "../support/loudspeaker.ts";
import { decodedSpeech, spokenLine } from "../support/speech-engines.ts";
import { startScriptedService, type ScriptedServiceOptions } from "../support/scripted-service.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import { startTestService } from "../support/test-service.ts";

const agentList = z.looseObject({ agents: z.array(z.looseObject({ name: z.string() })) });
const MICROPHONE_RATE_HZ = 48_000;
const TEST_TIMEOUT_MS = 60_000;

async function openBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const browser = await launchChromium(options);
  onTestFinished(() => browser.close());
  return browser;
}

async function openScripted(options: Partial<ScriptedServiceOptions> = {}) {
  const service = await startScriptedService({ msPerCharacter: 12, pages: serveConsole(), ...options });
  onTestFinished(() => service.close());
  return service;
}

describe.runIf(isChromiumAvailable())("the console on the real service", { timeout: TEST_TIMEOUT_MS }, () => {
  let service: Service;
  let origin: string;
  let folder: string;

  beforeAll(async () => {
    const settings = loadSettings({ PORT: "0", HOST: "127.0.0.1" });
    service = await startTestService({
      settings,
      logger: silentLogger,
      pages: serveConsole(),
      localSpeech: decodedSpeech,
    });
    origin = `http://127.0.0.1:${service.port}`;
    folder = await mkdtemp(join(tmpdir(), "console-"));
  });

  afterAll(async () => {
    await service.close(0);
    await rm(folder, { recursive: true });
  });

  async function recordMicrophone(text: string): Promise<string> {
    const speech = await spokenLine({ text, voice: "rms", sampleRateHz: MICROPHONE_RATE_HZ });
    // Silence first, while the page connects, and after, so that the turn ends.
    const samples = new Int16Array(MICROPHONE_RATE_HZ * 2 + speech.length + MICROPHONE_RATE_HZ * 20);
    samples.set(speech, MICROPHONE_RATE_HZ * 2);
    const path = join(folder, "microphone.wav");
    await writeFile(path, encodeWav({ sampleRateHz: MICROPHONE_RATE_HZ, channels: 1, samples }));
    return path;
  }

  it("answers what is typed and shows which agent takes over", async () => {
    const { page } = await openConsole(await openBrowser(), origin);
    await say(page, "I lost my card");
    await conversation(page).getByText("hands over to").waitFor();
    await page.getByRole("status").getByText("Card specialist is").waitFor();
    await conversation(page).locator(".entry-agent", { hasText: "Card specialist" }).first().waitFor();
    expect(await conversation(page).innerText()).toContain("I lost my card");
  });

  it("plays what the agent says: the page's loudspeaker is understood", async () => {
    const { page } = await openConsole(await openBrowser(), origin, { recordsLoudspeaker: true });
    await page.getByRole("button", { name: "Start talking" }).click();
    const greeting = conversation(page).locator(".entry-agent .bubble");
    await greeting.waitFor();
    const words = await greeting.innerText();
    await page.getByRole("status").getByText("is listening").waitFor();
    const judge = createJudge(words.split(/(?<=[.?])\s/));
    const heard = await judge.transcribe(await heardFromLoudspeaker(page));
    expect(wordErrorRate(words, heard)).toBeLessThan(0.1);
  });

  it("hears what is spoken into the microphone, and lets it interrupt the agent", async () => {
    const microphoneWav = await recordMicrophone("I want to check my balance");
    const { page } = await openConsole(await openBrowser({ microphoneWav }), origin);
    await page.getByRole("button", { name: "Start talking" }).click();
    await conversation(page)
      .locator(".entry-user", { hasText: /check my balance/i })
      .waitFor();
    // The caller has spoken in the middle of the greeting.
    await conversation(page).locator(".entry-agent").first().getByText("interrupted", { exact: true }).waitFor();
    await conversation(page)
      .locator(".entry-agent", { hasText: /checking or savings/i })
      .waitFor();
    const answered = conversation(page).locator(".entry-agent", { hasText: /checking or savings/i });
    await answered
      .getByText(/^[\d.,]+ ms$/)
      .first()
      .waitFor();
    expect(await answered.locator("time").innerText()).toMatch(/^0:\d\d$/);
  });
});

describe.runIf(isChromiumAvailable())(
  "the console on a service with scripted agents",
  { timeout: TEST_TIMEOUT_MS },
  () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
    });

    afterAll(() => browser.close());

    it("starts a conversation from a suggestion and shows tool call, handoff and time to answer", async () => {
      const { origin } = await openScripted();
      const { page, problems } = await openConsole(browser, origin);
      await page.getByRole("button", { name: "I want to open an account" }).click();
      await conversation(page).getByText("You said: I want to open an account").waitFor();
      await say(page, "my balance please");
      await conversation(page).getByText("Your checking balance is").waitFor();
      await conversation(page)
        .getByText(/^[\d.,]+ ms$/)
        .first()
        .waitFor();
      await say(page, "I lost my card");
      await conversation(page).getByText("You said: I lost my card").waitFor();
      expect((await conversation(page).innerText()).replaceAll(/\s+/g, " ")).toMatch(
        /get_account_balance.*Front desk.*Your checking balance.*Front desk hands over to Card specialist.*Card specialist/,
      );
      expect(problems).toEqual([]);
    });

    it("says in which language an agent speaks and is spoken to, for who has the words read out (WCAG 3.1.2)", async () => {
      const { origin } = await openScripted();
      const { page } = await openConsole(browser, origin);
      await page.route("**/api/v1/agents", async (route) => {
        const { agents, ...rest } = agentList.parse(await (await route.fetch()).json());
        const changed = agents.map((agent) =>
          agent.name === "card-specialist" ? { ...agent, language: "de-DE" } : agent,
        );
        await route.fulfill({ json: { ...rest, agents: changed } });
      });
      await page.reload();
      await say(page, "I lost my card");
      const languageOf = (whose: "agent" | "user") =>
        conversation(page).locator(`.entry-${whose} .bubble`).last().getAttribute("lang");
      await conversation(page).getByText("You said: I lost my card").waitFor();
      // The front desk, which was asked, names no language.
      expect([await languageOf("user"), await languageOf("agent")]).toEqual([null, "de-DE"]);
      await say(page, "what can you do");
      await conversation(page).getByText("You said: what can you do").waitFor();
      expect([await languageOf("user"), await languageOf("agent")]).toEqual(["de-DE", "de-DE"]);
    });

    it("lets somebody else watch, from the past on", async () => {
      const { origin } = await openScripted({ msPerCharacter: 40 });
      const caller = await talkToScripted(origin, "what can you do");
      const { page: watching, problems } = await openConsole(browser, `${origin}/#conversations`);
      await watching.getByRole("row", { name: "Front desk" }).getByRole("link").click();
      await conversation(watching).getByText("You said: what can you do").waitFor();
      caller.send({ type: "text", text: "my balance please" });
      await conversation(watching).getByText("Your checking balance is").waitFor();
      caller.send({ type: "text", text: "I lost my card" });
      await watching.getByRole("status").getByText("Card specialist is").waitFor();
      expect(problems).toEqual([]);
    });

    it("comes back after the connection is lost and keeps the conversation", async () => {
      const service = await openScripted();
      const way = await startTcpBalancer([service.port]);
      onTestFinished(() => way.close());
      const origin = `http://127.0.0.1:${way.port}`;
      const { page } = await openConsole(browser, origin, { viewport: { width: 640, height: 360 } });
      await say(page, "hello");
      await conversation(page).getByText("You said: hello").waitFor();
      const found = page.waitForEvent("websocket");
      way.cut();
      way.mend();
      await found;
      // Somebody who reads what was said before is shown the answer to what they write then.
      const belowPx = () =>
        page.evaluate(
          "(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.transcript'))",
        );
      await conversation(page).press("Home");
      await expect.poll(belowPx).toBeGreaterThan(80);
      await say(page, "still there");
      await conversation(page).getByText("You said: still there").waitFor();
      await expect.poll(belowPx).toBeLessThan(2);
      expect(await conversation(page).innerText()).toContain("You said: hello");
    });

    it("says that the microphone was refused and goes on with typing, and loses no keyboard user on the way", async () => {
      const { origin } = await openScripted();
      const { page } = await openConsole(browser, origin);
      await page.getByRole("button", { name: "Start talking" }).press("Enter");
      await waitForFocus(page, page.getByRole("button", { name: "Unmute the microphone" }));
      await expect
        .poll(() => page.getByRole("alert").allInnerTexts())
        .toEqual([expect.stringContaining("you can still type")]);
      const message = page.getByLabel("Message", { exact: true });
      await message.fill("hello");
      await page.getByRole("button", { name: "Send" }).press("Enter");
      await waitForFocus(page, message);
      await conversation(page).getByText("You said: hello").waitFor();
      await page.getByRole("button", { name: "End the conversation" }).press("Enter");
      await waitForFocus(page, page.getByRole("button", { name: "Talk with the microphone" }));
    });

    it("says that the model has failed, to whoever talks and to whoever watches, and goes on", async () => {
      const { origin, state } = await openScripted();
      const { page: talking } = await openConsole(browser, origin);
      await say(talking, "hello");
      await conversation(talking).getByText("You said: hello").waitFor();
      const { sessions } = await state.sessions.list({ offset: 0, limit: 1 });
      const { page: watching, problems } = await openConsole(browser, `${origin}/#watch/${sessions[0]?.sessionId}`);
      await conversation(watching).getByText("You said: hello").waitFor();
      await say(talking, "crash");
      for (const page of [talking, watching]) {
        await conversation(page).getByText("The agent could not answer").waitFor();
        await conversation(page).getByText("I am sorry, something went wrong on my side.").waitFor();
        await keepScreenshot(page, page === talking ? "talk-model-failed" : "watch-model-failed");
      }
      await say(talking, "still there");
      await conversation(talking).getByText("You said: still there").waitFor();
      expect(problems).toEqual([]);
    });

    it("says that the service is away", async () => {
      const { origin } = await openScripted({ environment: { MAX_SESSIONS: "1" } });
      const { page } = await openConsole(browser, origin);
      await talkToScripted(origin, "hello");
      await say(page, "hello");
      await expect
        .poll(() => page.locator(".banner").allInnerTexts())
        .toEqual([expect.stringContaining("Trying again")]);
    });
  },
);
