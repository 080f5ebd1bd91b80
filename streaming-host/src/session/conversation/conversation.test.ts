import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it, vi } from "vitest";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { openTestConversation } from "../../testing/open-test-conversation.ts";

async function open(writeSummary?: WriteSummary) {
  const clock = new VirtualClock();
  const { conversation } = await openTestConversation(
    { clock, store: createMemoryState({ clock }).sessions, writeSummary },
    { streamingMode: "MEDIA" },
  );
  return conversation;
}

const said = (content: string, turnId: string): HistoryItem => ({
  role: "user",
  content,
  agent: "desk",
  turnId,
  timestampMs: 0,
  interrupted: false,
});

describe("the history that a model reads", () => {
  it("[HIST-4] is the same one until something is said, and then has that", async () => {
    const conversation = await open();
    conversation.append([said("hello", "turn-1")]);
    const before = conversation.modelHistory;
    expect(conversation.modelHistory).toBe(before);
    conversation.append([said("my balance, please", "turn-2")]);
    expect(conversation.modelHistory.map(({ content }) => content)).toEqual(["hello", "my balance, please"]);
    expect(before).toHaveLength(1);
  });

  it("has the model's summary as soon as that is written", async () => {
    const summary = Promise.withResolvers<{ text: string; usage: undefined }>();
    const conversation = await open(() => summary.promise);
    for (let turn = 1; turn <= 10; turn++) conversation.append([said("a long story ".repeat(300), `turn-${turn}`)]);
    expect(conversation.modelHistory[0]?.content).toContain("a long story");
    summary.resolve({ text: "It was about a dog.", usage: undefined });
    await summary.promise;
    await new Promise(setImmediate);
    expect(conversation.modelHistory[0]?.content).toContain("It was about a dog.");
  });

  it("begins with the caller's last words after a handoff that shares nothing", async () => {
    const conversation = await open();
    conversation.append([said("hello", "turn-1"), said("my card is lost", "turn-2")]);
    expect(conversation.modelHistory).toHaveLength(2);
    const handoff = { from: fakeAgent("desk"), to: fakeAgent("cards"), type: "discrete", reason: "card" } as const;
    conversation.takeHandoff({ ...handoff, shareContext: false, greeting: undefined });
    expect(conversation.modelHistory.map(({ content }) => content)).toEqual(["my card is lost"]);
  });

  it("[HIST-6] begins with them also where they were known after the handoff, and on the next host", async () => {
    const clock = new VirtualClock();
    const { sessions: store } = createMemoryState({ clock });
    const line = { sessionId: "session-1", streamingMode: "VOICE_LIVE" } as const;
    const { conversation } = await openTestConversation({ clock, store }, line);
    conversation.append([said("hello", "turn-1")]);
    const begunAtMs = conversation.places.next(clock.wallNow());
    conversation.beginTurn(2, clock.wallNow());
    conversation.append([{ ...said("{}", "turn-2"), role: "tool" }]);
    const handoff = { from: fakeAgent("desk"), to: fakeAgent("cards"), type: "discrete", reason: "card" } as const;
    conversation.takeHandoff({ ...handoff, shareContext: false, greeting: undefined });
    conversation.append([{ ...said("Hello from cards.", "turn-2"), role: "assistant" }]);
    conversation.append([{ ...said("my card is lost", "turn-2"), begunAtMs }]);
    const known = ["my card is lost", "Hello from cards."];
    expect(conversation.modelHistory.map(({ content }) => content)).toEqual(known);
    await conversation.flush();
    const { conversation: next } = await openTestConversation({ clock, store }, line);
    expect(next.modelHistory.map(({ content }) => content)).toEqual(known);
  });

  it("[HIST-6] is what the agent knew before a handoff that is taken back, although words of an earlier turn came meanwhile", async () => {
    const clock = new VirtualClock();
    const { sessions: store } = createMemoryState({ clock });
    const line = { sessionId: "session-1", streamingMode: "VOICE_LIVE" } as const;
    const { conversation } = await openTestConversation({ clock, store }, line);
    const begunAtMs = conversation.places.next(clock.wallNow());
    clock.advance(1000);
    conversation.beginTurn(2, clock.wallNow());
    conversation.append([said("my card is lost", "turn-2")]);
    const toward = (from: string, to: string) => {
      const handoff = { from: fakeAgent(from), to: fakeAgent(to), type: "discrete", reason: "card" } as const;
      return conversation.takeHandoff({ ...handoff, shareContext: false, greeting: undefined });
    };
    toward("desk", "cards");
    conversation.append([{ ...said("Hello from cards.", "turn-2"), role: "assistant" }]);
    const takeBack = toward("cards", "desk");
    conversation.append([{ ...said("good morning", "turn-1"), begunAtMs }]);
    takeBack();
    const known = ["my card is lost", "Hello from cards."];
    expect(conversation.knownHistory.map(({ content }) => content)).toEqual(known);
    await conversation.flush();
    expect(conversation.record.knownFrom).toBe(2);
  });

  it("[HIST-6] has what another host's turn was, whose clock is ahead, before what this one says", async () => {
    const clock = new VirtualClock();
    const { sessions: store } = createMemoryState({ clock });
    const line = { sessionId: "session-1", streamingMode: "MEDIA" } as const;
    const { conversation } = await openTestConversation({ clock, store }, line);
    conversation.beginTurn(1, clock.wallNow() + 5000);
    conversation.append([said("hello", "turn-1")]);
    await conversation.flush();
    const { conversation: next } = await openTestConversation({ clock, store }, line);
    next.beginTurn(2, clock.wallNow());
    next.append([said("my balance", "turn-2")]);
    await next.flush();
    expect((await store.history("session-1")).map(({ content }) => content)).toEqual(["hello", "my balance"]);
  });
});

describe("what a conversation uses", () => {
  it("is counted when the words are stored, and not while the caller waits for an answer", async () => {
    const conversation = await open();
    const take = vi.fn<() => undefined>();
    conversation.meterUsage({ take, takeTurn: () => undefined });
    conversation.append([said("hello", "turn-1")]);
    expect(take).not.toHaveBeenCalled();
    await conversation.flush();
    expect(take).toHaveBeenCalledOnce();
  });
});

describe("calls with a lasting effect that are about to run", () => {
  const begun = { turnId: "turn-1", agent: "desk", calls: [{ id: "call-1", name: "pays", argumentsJson: "{}" }] };

  it("[TAKE-4b] may run while the conversation is this host's, and not when another one has taken it over", async () => {
    const clock = new VirtualClock();
    const store = createMemoryState({ clock }).sessions;
    const onTakenOver = vi.fn<() => void>();
    const { conversation } = await openTestConversation({ clock, store, onTakenOver }, { streamingMode: "MEDIA" });
    expect(await conversation.beginCalls(begun)).toBe("stored");
    const { sessionId, record } = conversation;
    await store.update(sessionId, record.version, { hostId: "host-2" });
    expect(await conversation.beginCalls(begun)).toBe("taken over");
    expect(onTakenOver).toHaveBeenCalledOnce();
  });
});

describe("calls that are about to run while the store is away", () => {
  it("[TAKE-4c] are known to wait, because nobody can tell then who has the conversation", async () => {
    const clock = new VirtualClock();
    const sources = { clock, store: createMemoryState({ clock }).sessions, isStored: () => false };
    const { conversation } = await openTestConversation(sources, { streamingMode: "MEDIA" });
    expect(await conversation.beginCalls({ turnId: "turn-1", agent: "desk", calls: [] })).toBe("waits");
  });
});

describe("what is stored for a host that takes over", () => {
  async function rig(agents = [fakeAgent("desk"), fakeAgent("cards")], writeSummary?: WriteSummary) {
    const clock = new VirtualClock();
    const { sessions } = createMemoryState({ clock });
    const sources = { clock, store: sessions, writeSummary, compileCatalog: async () => fakeCatalog({ agents }) };
    const open = (sessionId?: string) => openTestConversation(sources, { sessionId, streamingMode: "MEDIA" });
    return { sessions, conversation: (await open()).conversation, open };
  }
  const handoff = { from: fakeAgent("desk"), to: fakeAgent("cards"), type: "discrete", reason: "card" } as const;

  it("has the agent that the caller was handed to, and no more than that agent may know", async () => {
    const { conversation, open } = await rig();
    conversation.append([said("hello", "turn-1"), said("my card is lost", "turn-2")]);
    conversation.takeHandoff({ ...handoff, shareContext: false, greeting: undefined });
    await conversation.flush();
    const next = (await open(conversation.sessionId)).conversation;
    expect(next.agent.name).toBe("cards");
    expect(next.modelHistory.map(({ content }) => content)).toEqual(["my card is lost"]);
    expect(next.renderGreeting()).toBe("Welcome back to cards.");
  });

  it("[TAKE-2b] has the calls of tools that had begun, before any of them runs", async () => {
    const { conversation, sessions } = await rig();
    const calls = [{ id: "call-1", name: "block_card", argumentsJson: "{}" }];
    await conversation.beginCalls({ turnId: "turn-1", agent: "desk", calls });
    expect(await sessions.get(conversation.sessionId)).toMatchObject({ begunCalls: { turnId: "turn-1", calls } });
  });

  it("says which version of its prompt an agent answered with", async () => {
    const { conversation, sessions } = await rig([fakeAgent("desk", { promptVersion: "v7" }), fakeAgent("cards")]);
    conversation.append([
      { ...said("yes", "turn-1"), role: "assistant" },
      { ...said("yes", "turn-1"), role: "assistant", agent: "cards" },
    ]);
    await conversation.flush();
    const versions = (await sessions.history(conversation.sessionId)).map(({ promptVersion }) => promptVersion);
    expect(versions).toEqual(["v7", undefined]);
  });
});

describe("the tokens of summaries", () => {
  it("are counted once, with the turn after them", async () => {
    const usage = { inputTokens: 700, outputTokens: 30 };
    const conversation = await open(async () => ({ text: "It was about a dog.", usage }));
    expect(conversation.takeSummaryTokens()).toBe(0);
    for (let turn = 1; turn <= 10; turn++) conversation.append([said("a long story ".repeat(300), `turn-${turn}`)]);
    expect(conversation.modelHistory.length).toBeGreaterThan(0);
    await new Promise(setImmediate);
    expect(conversation.takeSummaryTokens()).toBe(730);
    expect(conversation.takeSummaryTokens()).toBe(0);
  });

  it("are spent no more once the conversation has ended", async () => {
    const signals: AbortSignal[] = [];
    const conversation = await open((_request, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    for (let turn = 1; turn <= 10; turn++) conversation.append([said("a long story ".repeat(300), `turn-${turn}`)]);
    expect(conversation.modelHistory.length).toBeGreaterThan(0);
    conversation.end();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
