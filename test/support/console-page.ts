/** The console in a real browser: a page that knows what went wrong in it. */
import type { Browser, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { openPage } from "./chromium.ts";
import { recordLoudspeaker } from "./loudspeaker.ts";
import { dial } from "./socket-client.ts";
import type { SocketClient } from "./socket-client.ts";

export interface ConsolePage {
  readonly page: Page;
  /** Errors that the page or the browser has logged. */
  readonly problems: readonly string[];
}

export interface ConsolePageOptions {
  readonly recordsLoudspeaker?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Closed when the test is over: an open conversation plays, listens and paints, and takes a seventh of a core for it. */
export async function openConsole(
  browser: Browser,
  url: string,
  { recordsLoudspeaker = false, viewport }: ConsolePageOptions = {},
): Promise<ConsolePage> {
  const page = await openPage(browser, viewport === undefined ? {} : { viewport });
  onTestFinished(async ({ task: { result } }) => {
    // The browser's error says what was awaited; what was there instead is what one wants to know.
    const shown = result?.state === "fail" ? await page.locator("body").innerText({ timeout: 5000 }) : "";
    for (const error of result?.errors ?? []) error.message += `\n\n${page.url()} showed:\n${shown}`;
    await page.close();
  });
  if (recordsLoudspeaker) await recordLoudspeaker(page);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} (${message.location().url})`);
  });
  await page.goto(url);
  return { page, problems };
}

/**
 * Somebody who types in a conversation that another page shows: without a page of their own, which takes a second of the processor and is
 * not what is tested.
 */
export async function talkWithoutPage(origin: string, text: string, query = ""): Promise<SocketClient> {
  const caller = await dial(`${origin.replace("http", "ws")}/api/v1/browser/conversation${query}`);
  onTestFinished(() => caller[Symbol.dispose]());
  caller.send({ type: "text", text });
  return caller;
}

/** The same at a service with scripted agents; resolves when they have answered. */
export async function talkToScripted(origin: string, text: string): Promise<SocketClient> {
  const caller = await talkWithoutPage(origin, text);
  await caller.next(
    "the answer",
    ({ type, payload }) => type === "response" && String(payload?.["text"]).startsWith(`You said: ${text}`),
  );
  return caller;
}

export const conversation = (page: Page) => page.getByRole("log", { name: "Conversation" });

export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.keyboard.press("Enter");
}

/** Whoever uses the keyboard goes on from here. */
export async function waitForFocus(page: Page, control: Locator): Promise<void> {
  await control.and(page.locator(":focus")).waitFor();
}

/** By keyboard alone, as far as it takes to go round the page. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let step = 0; step < 100; step += 1) {
    if ((await control.and(page.locator(":focus")).count()) === 1) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the keyboard does not reach it");
}

const screenshotFolder = process.env["CONSOLE_SCREENSHOTS"];

/** Kept where `CONSOLE_SCREENSHOTS` names a folder, for people to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (screenshotFolder !== undefined) await page.screenshot({ path: `${screenshotFolder}/${name}.png` });
}
