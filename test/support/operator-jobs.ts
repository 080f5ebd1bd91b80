/** What comes up every day in running a service, as an operator does it in the console: each in at most four actions. */
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import { conversation } from "./console-page.ts";

/** Each is one action of the operator. */
interface Hands {
  click(control: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  choose(field: Locator, label: string): Promise<void>;
}

interface Job {
  readonly name: string;
  readonly actions: 0 | 1 | 2 | 3 | 4;
  /** Begins on the page Talk, unless it follows the one before. */
  readonly follows?: true;
  readonly perform: (hands: Hands, page: Page) => Promise<void>;
}

export interface Circumstances {
  /** The names that the table shows: of an ended conversation that was recorded (`told`), of one that failed, and of one in progress. */
  readonly told: string;
  readonly failed: string;
  readonly live: string;
  readonly liveCount: number;
}

const overview = z.looseObject({ days: z.array(z.looseObject({})) });

const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
const row = (page: Page, name: string) => page.getByRole("table").getByRole("link", { name }).first();
const panel = (page: Page, title: string) =>
  page.locator(".panel", { has: page.getByRole("heading", { name: title }) });

function ofConversations({ told, failed }: Circumstances): readonly Job[] {
  const open = async ({ click }: Hands, page: Page): Promise<void> => {
    await click(tab(page, "Conversations"));
    await click(row(page, told));
    await conversation(page).getByText("hands over to").waitFor();
  };
  return [
    {
      name: "find the failed conversation and why",
      actions: 3,
      async perform({ click }, page) {
        await click(tab(page, "Conversations"));
        await click(page.getByRole("button", { name: "Failed" }));
        await click(row(page, failed));
        await conversation(page).getByText("The agent could not answer").first().waitFor();
      },
    },
    {
      name: "hear a sentence in step with the transcript",
      actions: 3,
      async perform(hands, page) {
        await open(hands, page);
        await hands.click(conversation(page).locator(".entry-agent .sentence").first());
        await conversation(page).locator(".sentence[aria-current]").waitFor();
      },
    },
    {
      name: "see the latency of each turn, and p95",
      actions: 2,
      async perform(hands, page) {
        await open(hands, page);
        expect(await conversation(page).locator(".turn-latency", { hasText: / ms/ }).count()).toBe(2);
        expect(await page.locator('.figures [data-stage="total"]').innerText()).toMatch(/ms\s+[\d,]+ ms/);
      },
    },
    {
      name: "export a conversation",
      actions: 4,
      async perform(hands, page) {
        await open(hands, page);
        const arrived = page.waitForEvent("download");
        await hands.click(page.getByText("Download", { exact: true }));
        await hands.click(page.getByRole("button", { name: /^JSON/ }));
        expect((await arrived).suggestedFilename()).toMatch(/\.json$/);
      },
    },
    {
      name: "export all conversations",
      actions: 2,
      async perform({ click }, page) {
        await click(tab(page, "Conversations"));
        const arrived = page.waitForEvent("download");
        await click(page.getByRole("button", { name: "CSV" }));
        expect((await arrived).suggestedFilename()).toBe("conversations.csv");
      },
    },
  ];
}

const ofFigures: readonly Job[] = [
  {
    name: "see the cost of each day",
    actions: 1,
    async perform({ click }, page) {
      // What this machine does itself costs nothing.
      const cost = [{ amount: 1.25, currency: "USD" }];
      await page.route("**/api/v1/overview?*", async (route) => {
        const figures = overview.parse(await (await route.fetch()).json());
        await route.fulfill({ json: { ...figures, cost, days: figures.days.map((day) => ({ ...day, cost })) } });
      });
      await click(tab(page, "Overview"));
      await panel(page, "Cost by day").getByText("$1.25").first().waitFor();
      await page.unroute("**/api/v1/overview?*");
    },
  },
  {
    name: "see which handoffs, outcomes and tools there are most",
    actions: 1,
    async perform({ click }, page) {
      await click(tab(page, "Overview"));
      for (const title of ["Handoffs", "What came of conversations", "Tools"])
        await panel(page, title).getByRole("listitem").first().waitFor();
    },
  },
];

function ofLiveCalls({ live, liveCount }: Circumstances): readonly Job[] {
  const cards = (page: Page) => page.getByRole("list", { name: /^Live conversations/ }).getByRole("listitem");
  return [
    {
      name: "see all live calls, and listen to one",
      actions: 2,
      async perform({ click }, page) {
        await click(tab(page, "Live"));
        await expect.poll(() => cards(page).count()).toBe(liveCount);
        await click(page.getByRole("button", { name: `Listen to ${live}` }));
        await page.getByRole("button", { name: `Stop listening to ${live}` }).waitFor();
      },
    },
    {
      name: "step in, and hand back",
      actions: 4,
      async perform({ click }, page) {
        await click(tab(page, "Live"));
        await click(cards(page).getByRole("link", { name: live }));
        await click(page.getByRole("button", { name: "Take over" }));
        await page.getByRole("status").getByText("You are speaking with the caller").waitFor();
        await click(page.getByRole("button", { name: "Hand back to the agent" }));
        await conversation(page).getByText("You are speaking with me again").waitFor();
      },
    },
  ];
}

const ofAgents: readonly Job[] = [
  {
    name: "change a greeting, and try it",
    actions: 4,
    async perform({ click, fill }, page) {
      await click(tab(page, "Build"));
      await click(page.getByRole("link", { name: "Card specialist" }));
      await fill(page.getByLabel("Greeting", { exact: true }), "Cards, at night.");
      await click(page.getByRole("button", { name: "Talk with it" }));
      await conversation(page).getByText("Cards, at night.").waitFor();
    },
  },
  {
    name: "publish what was tried",
    actions: 3,
    follows: true,
    async perform({ click, fill }, page) {
      await click(page.getByRole("button", { name: "Publish…" }));
      const dialog = page.getByRole("dialog");
      await dialog.getByText("+ Cards, at night.").waitFor();
      await fill(dialog.getByLabel("What was changed, and why"), "At night");
      await click(dialog.getByRole("button", { name: "Publish" }));
      await page.locator(".part-head").getByText("Published as version 1").waitFor();
    },
  },
  {
    name: "compare two versions",
    actions: 4,
    async perform({ click, choose }, page) {
      await click(tab(page, "Build"));
      await click(page.getByRole("link", { name: "Default" }));
      await choose(page.getByLabel("Compare what is deployed with"), "the catalog’s files");
      await click(page.getByRole("button", { name: "Run its dialogues" }));
      await page.getByText("2 of 2 passed.").waitFor();
    },
  },
];

/** Last, because nothing can begin while it does not. */
const ofHealth: readonly Job[] = [
  {
    name: "learn that speech does not work",
    actions: 0,
    async perform(_hands, page) {
      await page.route("**/api/v1/readiness", async (route) => {
        const checks = [
          { component: "speech", status: "unhealthy", check_time_ms: 5000, error: "It does not answer." },
        ];
        await route.fulfill({ status: 503, json: { status: "not_ready", checks } });
      });
      await page.reload();
      await page.getByRole("alert").getByText("speech").waitFor();
      await page.unroute("**/api/v1/readiness");
    },
  },
];

/** Does them all, and resolves with how many actions each took, by name. */
export async function performJobs(page: Page, origin: string, circumstances: Circumstances) {
  const jobs = [
    ...ofConversations(circumstances),
    ...ofFigures,
    ...ofLiveCalls(circumstances),
    ...ofAgents,
    ...ofHealth,
  ];
  const taken: Record<string, number> = {};
  for (const { name, follows, perform } of jobs) {
    let actions = 0;
    const counted = async (action: Promise<unknown>): Promise<void> => {
      actions += 1;
      await action;
    };
    const hands: Hands = {
      click: (control) => counted(control.click()),
      fill: (field, text) => counted(field.fill(text)),
      choose: (field, label) => counted(field.selectOption({ label })),
    };
    if (follows !== true) await page.goto(`${origin}/#talk`);
    await perform(hands, page);
    taken[name] = actions;
  }
  return { taken, expected: Object.fromEntries(jobs.map(({ name, actions }) => [name, actions])) };
}
