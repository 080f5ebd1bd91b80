import { noPrices, type Prices } from "@voice/shared/costs/prices";
import { afterCallDocument } from "@voice/shared/contracts/agents/after-call-document";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger, type Logger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { queueEnds } from "@voice/shared/state/due-ends";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { HistoryItem, NewSession } from "@voice/shared/state/ports/session-store";
import { tabulateConversations } from "@voice/shared/state/tabulated-state";
import { updateSession } from "@voice/shared/state/update-session";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import type { LanguageModel, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { afterEach, describe, expect, it } from "vitest";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { AfterCallWriter } from "./after-call-writer.ts";

const afterCall = afterCallDocument.parse({
  summary: true,
  outcomes: { card_blocked: { description: "A card was blocked.", tools: ["block_card"] } },
  fields: { card: { description: "Which one.", enum: ["credit", "debit"] } },
});
const answer = { summary: "The caller lost a card.", outcome: "card_blocked", fields: { card: "credit" } };
const url = "https://crm.example/";
const said: HistoryItem = {
  role: "user",
  content: "I lost my credit card.",
  agent: "clerk",
  turnId: "turn-1",
  timestampMs: 0,
  interrupted: false,
};

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
});

interface Given {
  /** What the model answers, one after the other; the last one from then on. None: there is no model. */
  readonly answers?: readonly (string | Error)[];
  readonly named?: typeof afterCall;
  readonly namesNothing?: boolean;
  readonly history?: readonly HistoryItem[];
  readonly prices?: Prices;
}

async function rig(given: Given = {}) {
  const {
    answers = [JSON.stringify(answer)],
    named = afterCall,
    namesNothing = false,
    history = [said],
    prices,
  } = given;
  const clock = new VirtualClock();
  const stored = tabulateConversations(createMemoryState({ clock, logger: silentLogger }), clock, silentLogger);
  const state = queueEnds(stored, [stored.toNote]);
  const session: NewSession = {
    sessionId: "one",
    channel: "phone",
    streamingMode: "MEDIA",
    scenario: "default",
    activeAgent: "clerk",
    visitedAgents: [],
    status: "active",
    memory: {},
    createdAtMs: 0,
  };
  await state.sessions.create(session);
  await state.sessions.appendTurn("one", { items: history, appendId: "1", turnCount: 1 });
  const asked: ModelRequest[] = [];
  let whileAsked = (): Promise<unknown> => Promise.resolve();
  const model: LanguageModel = {
    async *stream(request) {
      asked.push(request);
      await whileAsked();
      const text = answers[Math.min(asked.length, answers.length) - 1] ?? "";
      if (text instanceof Error) throw text;
      yield { type: "text-delta", text };
      yield { type: "finished", reason: "stop", usage: { inputTokens: 100, outputTokens: 10 } };
    },
  };
  const lines: unknown[] = [];
  const counts: unknown[] = [];
  const note = (fields: object, line: string): void => void lines.push([line, fields]);
  const logger: Logger = { ...silentLogger, child: () => logger, warn: note, error: note };
  const catalog = fakeCatalog({ agents: [{ ...fakeAgent("clerk"), ...(!namesNothing && { afterCall: named }) }] });
  const startHost = () => {
    const writer = new AfterCallWriter({
      state,
      catalogOf: async () => catalog,
      model: answers.length === 0 ? undefined : model,
      ...(prices !== undefined && { billed: { languageModel: "gpt" } }),
      prices: prices ?? noPrices,
      isArchived: true,
      urls: [url],
      baseUrl: undefined,
      random: () => 0.5,
      telemetry: { count: (_name, attributes) => void counts.push(attributes) },
      clock,
      logger,
    });
    closings.push(() => writer.close());
    return writer;
  };
  return {
    state,
    asked,
    lines,
    counts,
    startHost,
    meanwhile: (happens: () => Promise<unknown>): void => void (whileAsked = happens),
    end: () => updateSession("one", state.sessions, () => ({ status: "ended" })),
    pass: (ms: number) => clock.advanceAsync(ms, ms > 120_000 ? 1000 : 100),
    noted: () => state.afterCalls.get(session),
    sent: () => state.webhooks.take(receiverOf(url), 10, 1000),
    toArchive: () => state.toArchive.take(10, 1000),
  };
}

const beginMs = Date.UTC(2026, 0, 1);
const away = new VoiceError("upstream_unavailable", "away");

describe("after a conversation", () => {
  it("[AFTER-2] its model is asked what came of it, two seconds after its end, and that is stored", async () => {
    const { startHost, end, pass, noted, asked, counts } = await rig();
    startHost();
    await pass(5000);
    expect(asked).toEqual([]);
    await end();
    await pass(4000);
    expect(await noted()).toMatchObject({ ...answer, status: "written" });
    expect(asked).toMatchObject([{ answer: { name: "after_call" }, settings: { temperature: 0 }, tools: [] }]);
    expect(JSON.stringify(asked[0]?.messages)).toContain("I lost my credit card.");
    expect(counts).toEqual([{ outcome: "written" }]);
  });

  it("[AFTER-2] another host asks where the one that carried it died", async () => {
    const { startHost, end, pass, noted, state } = await rig();
    await end();
    await pass(3000);
    expect(await state.toNote.take(10, 60_000)).toHaveLength(1);
    startHost();
    await pass(62_000);
    expect(await noted()).toMatchObject(answer);
  });

  it("[AFTER-3] it is noted by what the tools did where no model can be asked", async () => {
    const call = { id: "1", name: "block_card", argumentsJson: '{"card":"debit"}' };
    const item = { ...said, role: "assistant", content: "", toolCalls: [call] } as const;
    const result = {
      ...said,
      role: "tool",
      content: '{"success":true}',
      toolName: "block_card",
      toolCallId: "1",
    } as const;
    const { startHost, end, pass, noted } = await rig({ answers: [], history: [said, item, result] });
    startHost();
    await end();
    await pass(4000);
    expect(await noted()).toMatchObject({ outcome: "card_blocked", fields: { card: "debit" } });
  });

  it("[AFTER-4] the model is asked again later where it failed or answered something else", async () => {
    const { startHost, end, pass, noted, asked } = await rig({
      answers: [away, "I am not sure.", JSON.stringify(answer)],
    });
    startHost();
    await end();
    await pass(10_000);
    expect([asked.length, await noted()]).toEqual([2, undefined]);
    await pass(40_000);
    expect(await noted()).toMatchObject(answer);
  });

  it("[AFTER-4] [AFTER-7] it says that it failed after six attempts, and no log has a word of the conversation", async () => {
    const { startHost, end, pass, noted, asked, lines, counts } = await rig({ answers: ["a credit card, I think"] });
    startHost();
    await end();
    await pass(4 * 3_600_000);
    expect(await noted()).toMatchObject({ status: "failed", summary: null, outcome: null });
    expect([asked.length, counts.at(-1)]).toEqual([6, { outcome: "given_up" }]);
    expect(JSON.stringify(lines)).not.toContain("credit");
  });

  it("[AFTER-5] it is in the table, and the archive is written again", async () => {
    const { startHost, end, pass, state, toArchive } = await rig();
    startHost();
    await end();
    await pass(4000);
    const { rows } = await state.conversations.list({ limit: 10 });
    expect(rows).toMatchObject([{ sessionId: "one", noted: answer }]);
    expect(await toArchive()).toMatchObject([{ sessionId: "one", createdAtMs: 0 }]);
  });

  it("[AFTER-6] receivers of webhooks are sent the outcome alone", async () => {
    const { startHost, end, pass, sent } = await rig();
    startHost();
    await end();
    await pass(4000);
    const [delivery] = await sent();
    expect(delivery?.type).toBe("session.noted");
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({
      type: "session.noted",
      data: { session_id: "one", outcome: "card_blocked", summary: null, fields: null },
    });
  });

  it("[AFTER-6] receivers of webhooks are sent all of it where the file says so", async () => {
    const { startHost, end, pass, sent } = await rig({ named: { ...afterCall, webhook: true } });
    startHost();
    await end();
    await pass(4000);
    const [delivery] = await sent();
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({ data: answer });
  });

  it("[AFTER-7] nothing of it comes back or is sent where the conversation is deleted meanwhile", async () => {
    const { startHost, end, pass, noted, sent, asked, meanwhile, state } = await rig();
    meanwhile(() => state.sessions.delete("one"));
    startHost();
    await end();
    await pass(4000);
    expect([asked.length, await noted(), await sent()]).toEqual([1, undefined, []]);
  });

  it.each([
    ["the caller said nothing", { history: [] }],
    ["no file names anything", { namesNothing: true }],
  ])("[AFTER-8] nothing is noted where %s", async (_why, given) => {
    const { startHost, end, pass, asked, noted, state } = await rig(given);
    startHost();
    await end();
    await pass(4000);
    expect([asked, await noted(), await state.toNote.take(10, 1000)]).toEqual([[], undefined, []]);
  });

  it("[AFTER-8] a conversation that is resumed is noted again after its next end", async () => {
    const other = { ...answer, outcome: null };
    const { startHost, end, pass, noted, state } = await rig({
      answers: [JSON.stringify(answer), JSON.stringify(other)],
    });
    startHost();
    await end();
    await pass(4000);
    await updateSession("one", state.sessions, () => ({ status: "active" }));
    await end();
    await pass(4000);
    expect(await noted()).toMatchObject({ outcome: null });
  });

  it("[OVERVIEW-20] its outcome and what asking cost are in the counts of its hour, once", async () => {
    const prices: Prices = { ...noPrices, priceOf: () => ({ amount: 0.5, currency: "USD" }) };
    const { startHost, end, pass, state, noted } = await rig({ prices });
    startHost();
    await end();
    await pass(4000);
    await updateSession("one", state.sessions, () => ({ status: "active" }));
    await end();
    await pass(4000);
    const [hour] = await state.hourlyCounts.read(beginMs, beginMs + 3_600_000);
    expect(hour?.counts).toMatchObject({ "noted:card_blocked": 1, "noted_field:card=credit": 1, "cost:USD": 0.5 });
    expect((await noted())?.usage).toMatchObject({ "language_model|fake|clerk": { input_tokens: 100 } });
  });
});
