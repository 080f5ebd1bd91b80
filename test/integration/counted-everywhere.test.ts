/** What a client has used up stays used up: on another host, a new socket, and after a reset. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { connectBrowser, knock, type Browser } from "../support/browser-client.ts";
import { startTestHost, type TestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const state = createMemoryState({ clock: systemClock });
const settings = { MAX_SESSIONS_PER_HOUR: "4", MAX_RESETS_PER_HOUR: "2" };
let one: TestHost;
let other: TestHost;

beforeAll(async () => {
  [one, other] = await Promise.all([startTestHost({ state, settings }), startTestHost({ state, settings })]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await state.close();
});

const path = "/api/v1/browser/conversation";

async function reset(browser: Browser): Promise<"begun" | "refused"> {
  const told = (): number => browser.of("session").length + browser.of("error").length;
  const before = told();
  const errors = browser.of("error").length;
  browser.send({ type: "control", action: "reset" });
  await eventually(() => told() > before, "the reset is answered");
  return browser.of("error").length > errors ? "refused" : "begun";
}

describe("[ACCESS-14a] a client, over two hosts,", () => {
  it("begins afresh as often as it may on both together", async () => {
    const first = await connectBrowser(one.url(path));
    expect([await reset(first), await reset(first), await reset(first)]).toEqual(["begun", "begun", "refused"]);
    await first.close();
    const second = await connectBrowser(other.url(path));
    expect(await reset(second)).toBe("refused");
    await second.close();
  });

  it("begins as many conversations as it may on both together, whatever it says that it has", async () => {
    expect(await knock(`${other.url(path)}?ticket=none`)).toBe(101);
    expect(await knock(one.url(path))).toBe(101);
    for (const host of [one, other])
      expect(await knock(`${host.url(path)}?ticket=none`)).toEqual({ status: 429, type: "rate_limited" });
  });
});
