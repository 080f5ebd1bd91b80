/** The browser of the machine, for tests of the console; nothing is downloaded. */
import { existsSync } from "node:fs";

import { chromium, type Browser } from "playwright-core";

const candidates = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  process.env["CHROMIUM_PATH"],
];

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

/** Where there is no browser, `false`, and one line that says so; on CI that is an error. */
export function hasChromium(): boolean {
  if (findChromium() !== undefined) return true;
  if (process.env["CI"] !== undefined) throw new Error("Chromium is missing: apt-get install chromium");
  console.warn("not run: these tests need Chromium (apt-get install chromium, or set CHROMIUM_PATH)");
  return false;
}

export interface LaunchOptions {
  /** Played once into the page's microphone as soon as the page opens it; without it the microphone is refused. */
  readonly microphoneWav?: string;
}

export function launchChromium({ microphoneWav }: LaunchOptions = {}): Promise<Browser> {
  const microphone =
    microphoneWav === undefined
      ? []
      : [
          "--use-fake-ui-for-media-stream",
          "--use-fake-device-for-media-stream",
          `--use-file-for-fake-audio-capture=${microphoneWav}%noloop`,
        ];
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Chromium is missing");
  return chromium.launch({ executablePath, args: [...quietFlags, ...microphone] });
}

function findChromium(): string | undefined {
  return candidates.find((path) => path !== undefined && existsSync(path));
}
