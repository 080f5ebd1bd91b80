/** The browser of the machine, for tests of the console; nothing is downloaded. */
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { findChromium } from "./installed-programs.ts";
import { longestWaitMs } from "./wait.ts";

const quietFlags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface LaunchOptions {
  /** Played once into the page's microphone as soon as the page opens it; without it the microphone is refused. */
  readonly microphoneWav?: string;
  /** A name that resolves to this machine, as after an attack by DNS rebinding. */
  readonly reboundName?: string;
}

export function launchChromium({ microphoneWav, reboundName }: LaunchOptions = {}): Promise<Browser> {
  const microphone =
    microphoneWav === undefined
      ? []
      : [
          "--use-fake-ui-for-media-stream",
          "--use-fake-device-for-media-stream",
          `--use-file-for-fake-audio-capture=${microphoneWav}%noloop`,
        ];
  const names = reboundName === undefined ? [] : [`--host-resolver-rules=MAP ${reboundName} 127.0.0.1`];
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Chromium is missing");
  return chromium.launch({ executablePath, args: [...quietFlags, ...microphone, ...names] });
}

/**
 * An empty page of a profile of its own. Nothing in it moves unless the test is about movement: what shows who speaks is drawn ten times a
 * second, which is two fifths of the processor time that a conversation takes in a page.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: "reduce", ...options });
  page.setDefaultTimeout(longestWaitMs);
  return page;
}
