import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { describe, expect, it, vi } from "vitest";
import type { WriteSummary } from "../../pipeline/cascade/write-summary.ts";
import { fakeAgent } from "../../testing/fake-catalog.ts";
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

  it("[TAKE-4] may run while the conversation is this host's, and not when another one has taken it over", async () => {
    const clock = new VirtualClock();
    const store = createMemoryState({ clock }).sessions;
    const onTakenOver = vi.fn<() => void>();
    const { conversation } = await openTestConversation({ clock, store, onTakenOver }, { streamingMode: "MEDIA" });
    expect(await conversation.beginCalls(begun)).toBe(true);
    const { sessionId, record } = conversation;
    await store.update(sessionId, record.version, { hostId: "host-2" });
    expect(await conversation.beginCalls(begun)).toBe(false);
    expect(onTakenOver).toHaveBeenCalledOnce();
  });
});
