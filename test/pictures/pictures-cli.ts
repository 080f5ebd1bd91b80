/**
 * `npm run pictures`: takes the pictures of the README from the console, as it is now, with conversations of the demonstration.
 * Only the days before today in the overview are made up, because nobody has talked on them.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSettings } from "@voice/shared/config/load";
import { dayMs } from "@voice/shared/platform/day";
import { silentLogger } from "@voice/shared/platform/logger";
import { serveConsole } from "../../local/console/serve-console.ts";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { Service } from "../../local/service.ts";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { conversation, say } from "../support/console-page.ts";
import { startTestService } from "../support/test-service.ts";
import { eventually } from "../support/wait.ts";

const help = `Takes the pictures of the README from the console: docs/pictures/*.webp. Needs Chromium.

  npm run pictures`;

const folder = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
const viewport = { width: 1280, height: 800 };
const quality = 0.8;

readToolArguments({ name: "npm run pictures", help });
const recordings = await mkdtemp(join(tmpdir(), "pictures-"));
const settings = loadSettings({
  PORT: "0",
  HOST: "127.0.0.1",
  AGENT_SCENARIO: "banking",
  RECORDING_ENABLED: "true",
  RECORDING_DIR: recordings,
});
const service = await startTestService({ settings, logger: silentLogger, pages: serveConsole() });
const browser = await launchChromium();
try {
  await mkdir(folder, { recursive: true });
  const origin = `http://127.0.0.1:${service.port}`;
  const page = await browser.newPage({ viewport });
  await talk(page, origin);
  await keep(browser, page, "talk");
  await page.getByRole("button", { name: "End the conversation" }).click();
  const sessionId = await endedConversation(service);
  await page.goto(`${origin}/#conversations/${sessionId}`);
  await page.getByRole("heading", { name: "After the call" }).waitFor();
  await page.locator(".timeline-lane-agent path").waitFor();
  await keep(browser, page, "timeline");
  await fillDaysBefore(service);
  await page.goto(`${origin}/#overview/30`);
  await page.getByRole("heading", { name: "What came of conversations" }).waitFor();
  await keep(browser, page, "overview");
} finally {
  await browser.close();
  await service.close(0);
  await rm(recordings, { recursive: true });
}
// The speech engines that tests share would wait for the next one.
process.exit();

/** Typed, so that it is the same each time. */
async function talk(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/#talk`);
  const answered = (agent: string): Promise<void> =>
    page.getByRole("status").getByText(`${agent} is listening`).waitFor({ timeout: 60_000 });
  await say(page, "what are your opening hours on saturday");
  await conversation(page).getByText("Answered from").waitFor();
  await answered("Banking concierge");
  await say(page, "what is my savings balance");
  await conversation(page).getByText("get_account_balance").waitFor();
  await answered("Banking concierge");
  await say(page, "I lost my card");
  await answered("Card specialist");
}

/** Its recording and what was noted of it are there. */
async function endedConversation({ state }: Service): Promise<string> {
  const read = async () => (await state.conversations.list({ limit: 1 })).rows[0];
  await eventually(async () => (await read())?.noted !== undefined, "it is noted what came of the conversation");
  return (await read())?.sessionId ?? "";
}

/** As if about forty conversations had been held a day, more of them in the middle of the week. */
async function fillDaysBefore({ state }: Service): Promise<void> {
  for (let day = 1; day < 30; day += 1) {
    const count = 34 + Math.round(12 * Math.sin(day / 1.1) + 4 * Math.sin(day * 3));
    const failed = day % 5 === 0 ? 3 : 1;
    await state.hourlyCounts.add({
      id: `made up ${day}`,
      atMs: Date.now() - day * dayMs,
      counts: {
        conversations: count,
        calls: Math.round(count * 0.7),
        turns: count * 7,
        duration_ms: count * 96_000,
        contained: Math.round(count * 0.83),
        with_person: Math.round(count * 0.05),
        "channel:phone": Math.round(count * 0.7),
        "outcome:completed": count - failed - 3,
        "outcome:transferred": 3,
        "outcome:failed": failed,
        "failure:upstream_timeout": failed,
        "cost:USD": count * 0.021,
        "noted:balance_told": Math.round(count * 0.4),
        "noted:card_blocked": Math.round(count * 0.2),
        "noted:callback_arranged": Math.round(count * 0.1),
        "noted:passed_to_person": 3,
        "noted_field:account=checking": Math.round(count * 0.3),
        "noted_field:account=savings": Math.round(count * 0.2),
        "tool:get_account_balance": Math.round(count * 0.5),
        "tool:block_card": Math.round(count * 0.2),
        "tool:verify_identity": count,
        "tool_failed:verify_identity": 2,
        "handoff:banking-concierge>card-specialist": Math.round(count * 0.3),
        "handoff:banking-concierge>fraud-specialist": Math.round(count * 0.1),
        "scenario:banking": count,
        ...latencies(count),
      },
    });
  }
}

function latencies(count: number): Record<string, number> {
  const spread = { 700: 0.2, 800: 0.4, 1000: 0.25, 1400: 0.12, 2000: 0.03 };
  const marks = { end_of_turn_ms: 0.3, model_first_token_ms: 0.65, synthesis_first_audio_ms: 0.95, first_audio_ms: 1 };
  const bounds = [150, 200, 250, 300, 350, 400, 500, 600, 700, 800, 1000, 1200, 1400, 1700, 2000];
  return Object.fromEntries(
    Object.entries(marks).flatMap(([mark, share]) =>
      Object.entries(spread).map(([ms, part]) => {
        const bound = bounds.find((one) => one >= Number(ms) * share) ?? 2000;
        return [`latency:${mark}:${bound}`, Math.round(count * 6 * part)];
      }),
    ),
  );
}

/** As WebP, which Chromium writes, in a quarter of the size of a PNG. */
async function keep(chromium: Browser, page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  // It says that this service has no telephone service, which is of no interest here.
  await page.evaluate("document.querySelector('.health-mark')?.style.setProperty('display', 'none')");
  const png = (await page.screenshot({ animations: "disabled" })).toString("base64");
  const painter = await chromium.newPage();
  const webp = String(await painter.evaluate(paint(png)));
  await painter.close();
  const file = join(folder, `${name}.webp`);
  const bytes = Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64");
  await writeFile(file, bytes);
  console.log(`${file}: ${Math.round(bytes.length / 1024)} kB`);
}

/** For the browser: a text, because the types of a document are not known here. */
function paint(png: string): string {
  return `(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png}";
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", ${quality});
  })()`;
}
