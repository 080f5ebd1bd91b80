import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { expect, it } from "vitest";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { storeUnfinishedText } from "./store-unfinished-text.ts";

async function rig() {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const { conversation } = await openTestConversation({ clock, store: sessions }, { streamingMode: "MEDIA" });
  return { conversation, sessions };
}

it("[HIST-1] stores half a sentence as a turn of its own, so that no later turn has the same number", async () => {
  const { conversation, sessions } = await rig();
  storeUnfinishedText(conversation, { text: "my card was", turnCount: 3, timestampMs: 7 });
  await conversation.flush();
  expect(await sessions.history(conversation.sessionId)).toMatchObject([
    { role: "user", content: "my card was", turnId: "turn-4", interrupted: true },
  ]);
  expect(await sessions.get(conversation.sessionId)).toMatchObject({ turnCount: 4 });
});

it("[HIST-1] stores nothing where nothing was said", async () => {
  const { conversation, sessions } = await rig();
  storeUnfinishedText(conversation, { text: "", turnCount: 3, timestampMs: 7 });
  await conversation.flush();
  expect(await sessions.history(conversation.sessionId)).toEqual([]);
});
