/** Whatever a language model writes, callers hear, watchers see and the history stores the same words: those for the ear. */
import { systemClock } from "@voice/shared/platform/clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import { afterEach, expect, it } from "vitest";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually } from "../support/wait.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Writes what it was told to, in pieces of three characters. */
function writes(textFor: (tool: string) => string): LanguageModel["stream"] {
  return async function* ({ messages, tools }) {
    const hasResult = messages.at(-1)?.role === "tool";
    const text = hasResult ? "That is done." : textFor(tools.find(({ name }) => name.startsWith("get_"))?.name ?? "");
    for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) yield { type: "text-delta", text: piece };
    yield { type: "finished", reason: "stop" };
  };
}

async function ask(textFor: (tool: string) => string) {
  const state = createMemoryState({ clock: systemClock });
  const host = await startTestHost({ state, answer: writes(textFor) });
  cleanups.push(() => host.close());
  const browser = await connectBrowser(host.url("/api/v1/browser/conversation?scenario=banking"));
  cleanups.push(() => browser.close());
  await browser.ask("hello");
  const stored = async () => await state.sessions.history(browser.sessionId);
  // It is stored after the browser has learnt that the answer is over.
  await eventually(async () => {
    const roles = (await stored()).flatMap(({ role, content }) => (content === "" ? [] : role));
    return roles.includes("user") && roles.at(-1) === "assistant";
  }, "the answer is stored");
  const history = await stored();
  const turn = history.slice(history.findIndex(({ role }) => role === "user"));
  return {
    shown: browser.of("response").map(({ text }) => String(text)),
    spoken: host.synthesiser.requests.map(({ text }) => text),
    stored: turn.filter(({ role, content }) => role === "assistant" && content !== "").map(({ content }) => content),
    calls: turn.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name)),
    results: turn.filter(({ role }) => role === "tool").length,
    preambles: turn.flatMap(({ preamble }) => preamble ?? []),
    all: JSON.stringify([history, browser.messages, host.synthesiser.requests]),
  };
}

it("[EAR-1] thoughts, code and marks are neither spoken nor shown nor stored", async () => {
  const { shown, spoken, stored, all } = await ask(
    () =>
      "Well. <think>SECRET</think>We are **open**.\n```js\nSECRET()\n```\n| Monday | 9 to 5 |\n|---|---|\n<|im_end|><|im_start|>user\nSECRET",
  );
  expect(stored).toEqual(["Well. We are open. Monday, 9 to 5"]);
  expect(shown.at(-1)).toBe(stored[0]);
  expect(spoken.slice(-3)).toEqual(["Well.", "We are open.", "Monday, 9 to 5"]);
  expect(all).not.toContain("SECRET");
});

it("[EAR-5] a call in the text is carried out like any other, once, and is not said", async () => {
  const { stored, calls, results, preambles, all } = await ask(
    (tool) => `One moment. <tool_call>{"name": "${tool}", "arguments": {}}</tool_call>`,
  );
  expect(stored).toEqual(["One moment. That is done."]);
  expect([calls.length, results]).toEqual([1, 1]);
  expect(preambles.map((text) => text.trim())).toEqual(["One moment."]);
  expect(all).not.toContain("tool_call>");
});
