/** The console by keyboard, and what an operator who types is told: nothing is lost without a word, not even the place. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

import { serveConsole } from "../../local/console/serve-console.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import {
  conversation,
  keepScreenshot,
  openConsole,
  say,
  talkToScripted,
  waitForFocus,
} from "../support/console-page.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { isInView, overflowsSideways, unreachableControls } from "../support/layout.ts";
import { startScriptedService, type ScriptedService } from "../support/scripted-service.ts";

const agentList = z.looseObject({ agents: z.array(z.looseObject({ name: z.string() })) });
const phone = { width: 360, height: 740 };

describe.runIf(isChromiumAvailable())("the console by keyboard", () => {
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

  async function newestSession(): Promise<string> {
    const { sessions } = await service.state.sessions.list({ offset: 0, limit: 1 });
    return sessions[0]?.sessionId ?? "";
  }

  /** The newest conversation, as a page shows it to an operator. `mode`: as if it were one of that mode. */
  async function watchNewest(mode?: "TRANSCRIPTION"): Promise<Page> {
    const id = await newestSession();
    const { page } = await openConsole(browser, "about:blank", { viewport: phone });
    if (mode !== undefined)
      await page.route(`**/api/v1/sessions/${id}`, async (route) => {
        const stored = z.record(z.string(), z.unknown()).parse(await (await route.fetch()).json());
        await route.fulfill({ json: { ...stored, streaming_mode: mode } });
      });
    await page.goto(`${service.origin}/#watch/${id}`);
    await page.getByRole("button", { name: "End conversation" }).waitFor();
    return page;
  }

  /** A page whose front desk understands these sentences. Its suggestions are three of them and the first two of the card team's. */
  async function openWithExamples(...frontDesk: readonly string[]): Promise<Page> {
    const { page } = await openConsole(browser, service.origin);
    await page.route("**/api/v1/agents", async (route) => {
      const examples: Readonly<Record<string, readonly string[]>> = {
        "front-desk": frontDesk,
        "card-specialist": ["I lost my card", "My card was stolen", "Block it"],
      };
      const { agents, ...rest } = agentList.parse(await (await route.fetch()).json());
      const changed = agents.map((agent) => ({ ...agent, examples: examples[agent.name] ?? [] }));
      await route.fulfill({ json: { ...rest, agents: changed } });
    });
    await page.reload();
    return page;
  }

  it("stays at a suggestion that a handoff leaves in another place of the list", async () => {
    const page = await openWithExamples("Where are you", "Call me back", "When do you open");
    const pressed = page.getByRole("button", { name: "I lost my card" });
    await pressed.press("Enter");
    await page.getByRole("button", { name: "Block it" }).waitFor();
    await waitForFocus(page, pressed);
    expect(await pressed.getAttribute("tabindex")).toBeNull();
  });

  it("goes on at the suggestions when a handoff replaces the one that was pressed", async () => {
    // The next agent's suggestions come first, and of a colleague's only the first few.
    const page = await openWithExamples("Where are you", "Call me back", "When do you open", "My card please");
    const pressed = page.getByRole("button", { name: "My card please" });
    await pressed.press("Enter");
    await pressed.waitFor({ state: "detached" });
    await waitForFocus(page, page.getByRole("region", { name: "Try saying" }));
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await waitForFocus(page, page.getByRole("button", { name: "Block it" }));
  });

  it("goes on at the conversation when it has ended, and what an operator could do is gone", async () => {
    await talkToScripted(service.origin, "hello");
    const watching = await watchNewest();
    await watching.route("**/end", (route) =>
      route.fulfill({ status: 202, json: { message: "The agent says goodbye" } }),
    );
    const ending = watching.getByRole("button", { name: "End conversation" });
    await ending.press("Enter");
    await watching.getByRole("dialog").getByRole("button", { name: "End conversation" }).press("Enter");
    await watching.getByText("The agent says goodbye.").waitFor();
    await waitForFocus(watching, ending);
    await fetch(`${service.origin}/api/v1/sessions/${await newestSession()}/end`, { method: "POST" });
    await watching.getByRole("status").getByText("Ended").waitFor();
    await waitForFocus(watching, watching.getByRole("region", { name: "Conversation", exact: true }));
    expect(await ending.count()).toBe(0);
  });

  it("tells an operator in a low window, too, what has become of what they asked, and that the service does not answer for as long as it does not", async () => {
    await talkToScripted(service.origin, "hello");
    const watching = await watchNewest();
    await watching.route("**/say", (route) => route.fulfill({ status: 202, json: { message: "The agent says it" } }));
    await watching.setViewportSize({ width: 740, height: 360 });
    const line = watching.getByLabel("A line for the agent to say");
    await line.fill("A colleague will call you back.");
    await line.press("Enter");
    await watching
      .getByRole("region", { name: "Operator" })
      .getByRole("status")
      .getByText("The agent says it.")
      .waitFor();
    expect(await isInView(watching, ".operator > [role=status]")).toBe(true);
    expect([await overflowsSideways(watching), await unreachableControls(watching)]).toEqual([false, []]);
    await keepScreenshot(watching, "watch-low-said");

    await watching.setViewportSize(phone);
    await watching.route("**/api/v1/**", (route) => route.abort());
    await line.fill("A colleague will call you back.");
    await line.press("Enter");
    await watching.getByRole("alert").getByText("The service does not answer.").waitFor();
    await waitForFocus(watching, line);
    await watching.unroute("**/api/v1/**");
    await watching.getByText("The service answers again: try once more.").waitFor();
    expect(await watching.getByText("The service does not answer.").count()).toBe(0);
    expect(await line.inputValue()).toBe("A colleague will call you back.");
  });

  it("stays at the choice of a customer while somebody is made up", async () => {
    const { page } = await openConsole(browser, service.origin);
    const made = Promise.withResolvers<void>();
    await page.route("**/profiles/generate", async (route) => {
      await made.promise;
      await route.fulfill({ json: { profile_id: "profile-1", name: "Kim Lee", profile: {} } });
    });
    await page.getByText("Conversation", { exact: true }).click();
    const choice = page.getByLabel("Customer");
    await choice.focus();
    await choice.selectOption({ label: "Somebody new (banking)" });
    await page.getByText("Making somebody up…").waitFor();
    // What is chosen meanwhile has to wait for its answer.
    await choice.selectOption({ label: "Somebody new (insurance)" });
    made.resolve();
    await expect.poll(() => choice.locator("option:checked").innerText()).toBe("Kim Lee");
    await waitForFocus(page, choice);
  });

  it("sounds again when the browser has stopped its sound, as while the computer slept", async () => {
    const { page } = await openConsole(browser, service.origin);
    await page.addInitScript(
      "window.AudioContext = class extends AudioContext { constructor(...args) { super(...args); window.sound = this; } };",
    );
    await page.reload();
    await say(page, "hello");
    await conversation(page).getByText("You said: hello").waitFor();
    await expect.poll(() => page.evaluate("window.sound?.state")).toBe("running");
    await page.evaluate("window.sound.suspend()");
    await expect.poll(() => page.evaluate("window.sound.state")).toBe("running");
  });

  it("offers neither a line nor a goodbye where nobody speaks [OPS-10]", async () => {
    await talkToScripted(service.origin, "hello");
    const watching = await watchNewest("TRANSCRIPTION");
    await watching.getByText("None: what the caller says is only written down.").waitFor();
    expect(await watching.getByLabel("A line for the agent to say").count()).toBe(0);
    await watching.getByRole("button", { name: "End conversation" }).press("Enter");
    await watching.getByRole("dialog").getByText("no agent takes part in it").waitFor();
    await keepScreenshot(watching, "watch-written-down");
  });

  it("cuts nothing that is pasted, says how much is too much, and sends it once it is short enough", async () => {
    const { page: talking } = await openConsole(browser, service.origin);
    await say(talking, "hello");
    await conversation(talking).getByText("You said: hello").waitFor();
    const watching = await watchNewest();
    const sent: string[] = [];
    await watching.route("**/say", async (route) => {
      sent.push(route.request().postData() ?? "");
      await route.fulfill({ status: 202, json: { message: "The agent says it" } });
    });
    const cases = [
      { page: talking, field: talking.getByLabel("Message", { exact: true }), button: "Send", limit: 4000 },
      { page: watching, field: watching.getByLabel("A line for the agent to say"), button: "Say", limit: 1000 },
    ] as const;
    for (const { page, field, button, limit } of cases) {
      await field.focus();
      await page.keyboard.insertText("x".repeat(limit + 12));
      await page
        .getByRole("alert")
        .getByText(`${limit.toLocaleString("en-US")} characters are the limit`)
        .waitFor();
      await page.getByText("12 more than that.").waitFor();
      expect(await field.inputValue()).toHaveLength(limit + 12);
      await field.press("Enter");
      expect(await page.getByRole("button", { name: button }).isDisabled()).toBe(true);
      await page.setViewportSize(phone);
      expect([await overflowsSideways(page), await unreachableControls(page)]).toEqual([false, []]);
      expect(await accessibilityViolations(page)).toEqual([]);
      await keepScreenshot(page, `too-long-${limit}`);
      expect(await field.inputValue()).toHaveLength(limit + 12);
      await field.fill("x".repeat(limit));
      await field.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("");
      expect(await page.getByText("characters are the limit").count()).toBe(0);
    }
    expect(sent).toEqual([JSON.stringify({ text: "x".repeat(1000) })]);
  });
});
