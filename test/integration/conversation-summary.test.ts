/** A conversation that grows beyond what a model reads word by word. */
import { afterEach, expect, it } from "vitest";
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const summary = "The caller counts and counts.";
const isSummaryRequest = ({ messages }: ModelRequest) => messages[0]?.content.startsWith("Summarise") === true;
const asked = (turn: number) => `turn ${turn} and so on and so on`;
/** Seven of them are more than the budget. The agent says them, because a caller may not type as much at once (FR-7). */
const longAnswer = "and so on ".repeat(380);

async function talk(summedUpBy: "the model" | "nobody", written: Promise<unknown> = Promise.resolve()) {
  const host = await startTestHost({
    async *answer(request) {
      if (isSummaryRequest(request)) await written;
      const answer = request.messages.at(-1)?.content.startsWith("turn ") === true ? longAnswer : "Go on.";
      yield { type: "text-delta", text: isSummaryRequest(request) ? summary : answer };
      yield { type: "finished", reason: "stop", usage: { inputTokens: 700, outputTokens: 30 } };
    },
    sumsUp: summedUpBy === "the model",
    msPerCharacter: 0.1,
  });
  cleanups.push(() => host.close());
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
  cleanups.push(() => browser.close());
  for (let turn = 1; turn <= 8; turn++) await browser.ask(asked(turn));
  return { browser, host };
}

it("is summed up by the model, behind the conversation, and its tokens are counted", async () => {
  const { browser, host } = await talk("the model");
  expect(host.modelRequests.filter(isSummaryRequest)).toHaveLength(1);
  await browser.ask("and now");
  const { messages } = host.modelRequests.at(-1) ?? { messages: [] };
  expect(messages[1]?.content).toContain(summary);
  expect(JSON.stringify(messages)).not.toContain("turn 1 ");
  const metrics = browser.of("event").flatMap(({ metrics: marks }) => (marks === undefined ? [] : [marks]));
  expect(metrics).toContainEqual(expect.objectContaining({ summary_tokens: 730 }));
});

it("does not wait for a summary that does not come", async () => {
  const { browser, host } = await talk("the model", new Promise(() => undefined));
  expect(await browser.ask("and now")).toBe("Go on.");
  expect(host.modelRequests.at(-1)?.messages[1]?.content).toMatch(/in short: .*and so on and so on/);
});

it("is summed up plainly where the model goes by rules", async () => {
  const { browser, host } = await talk("nobody");
  await browser.ask("and now");
  expect(host.modelRequests.filter(isSummaryRequest)).toEqual([]);
  expect(host.modelRequests.at(-1)?.messages[1]?.content).toMatch(/in short: .*and so on and so on/);
});
