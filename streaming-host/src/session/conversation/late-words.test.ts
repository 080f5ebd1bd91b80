/** TAKE-2: two hosts write to one conversation, because the first one stood still, or was cut off from the store, and lost it. */
import { unansweredTurn } from "./unanswered-turn.ts";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { expect, it } from "vitest";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { callerItem } from "./caller-item.ts";
import type { Conversation } from "./conversation.ts";

const sessionId = "session-1";

function rig() {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  let takenOver = 0;
  async function open(hostId: string, wallNow = () => clock.wallNow()): Promise<Conversation> {
    const onTakenOver = () => (takenOver += 1);
    const line = { sessionId, channel: "phone", streamingMode: "MEDIA" } as const;
    const { conversation } = await openTestConversation({ clock, store: sessions, hostId, onTakenOver, wallNow }, line);
    return conversation;
  }
  async function say(conversation: Conversation, text: string, turn: number): Promise<void> {
    clock.advance(1000);
    const turnId = `turn-${turn}`;
    conversation.beginTurn(turn, clock.wallNow());
    conversation.append([callerItem({ text, agent: "desk", turnId, timestampMs: clock.wallNow() })]);
    await conversation.flush();
  }
  const stored = async () => (await sessions.history(sessionId)).map(({ content }) => content);
  return { open, say, sessions, stored, takenOver: () => takenOver };
}

const told = (conversation: Conversation) => conversation.modelHistory.map(({ content }) => content);

it.each([2, 3])(
  "[TAKE-2c] a third host tells models what was said to the second, and not what the first stored as turn %i",
  async (turn) => {
    const { open, say, stored } = rig();
    const first = await open("host-1");
    await say(first, "hello", 1);
    const second = await open("host-2");
    await say(second, "my card is stolen, I said", 2);
    await say(first, "my card is stolen", turn);
    await say(second, "yes, block it", 3);
    const third = await open("host-3");
    expect(told(third)).toEqual(["hello", "my card is stolen, I said", "yes, block it"]);
    expect(unansweredTurn(third.modelHistory)).toMatchObject({ userText: "yes, block it" });
    expect(await stored()).toEqual(["hello", "my card is stolen, I said", "my card is stolen", "yes, block it"]);
  },
);

it("[TAKE-2c] words that two hosts store of the same version and length are both kept", async () => {
  const { open, say, sessions, stored } = rig();
  const first = await open("host-1");
  // The first host's store is away, so that its next version is not stored.
  const { update } = sessions;
  sessions.update = async (_id, version, patch) => ({ ...first.record, ...patch, version: version + 1 });
  first.markAnnounced();
  await first.flush();
  sessions.update = update.bind(sessions);
  const second = await open("host-2");
  expect(second.record.version).toBe(first.record.version);
  await say(second, "to the second", 1);
  await say(first, "to the first", 1);
  expect(await stored()).toEqual(["to the second", "to the first"]);
});

it("[TAKE-1] a host learns with its next words that another one has the conversation", async () => {
  const { open, say, takenOver } = rig();
  const first = await open("host-1");
  await say(first, "hello", 1);
  await open("host-2");
  expect(takenOver()).toBe(0);
  await say(first, "is anybody there?", 2);
  expect(takenOver()).toBe(1);
});

it("[TAKE-1] a host that takes a conversation knows what the former one stored until then", async () => {
  const { open, say, sessions } = rig();
  const first = await open("host-1");
  await say(first, "hello", 1);
  const { update } = sessions;
  sessions.update = async (...change) => {
    await say(first, "one more thing", 2);
    return update.apply(sessions, change);
  };
  const second = await open("host-2");
  expect(told(second)).toEqual(["hello", "one more thing"]);
  expect(second.turnCount).toBe(2);
});

it("[TAKE-1] a host whose clock is minutes behind still has the conversation that it took last", async () => {
  const { open, say, stored, takenOver } = rig();
  const first = await open("host-1", () => 600_000);
  await say(first, "hello", 1);
  const second = await open("host-2", () => 1000);
  await say(second, "are you there?", 2);
  await say(first, "late", 2);
  expect(takenOver()).toBe(1);
  expect(told(await open("host-3", () => 2000))).toEqual(["hello", "are you there?"]);
  expect(await stored()).toEqual(["hello", "are you there?", "late"]);
});

it("[HS-4] a conversation that was resumed on the same host is not ended by the one before it", async () => {
  const { open, sessions } = rig();
  const first = await open("host-1");
  await open("host-1");
  first.end();
  await first.flush();
  expect(await sessions.get(sessionId)).toMatchObject({ status: "active" });
});
