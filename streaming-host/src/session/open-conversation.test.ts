import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import { fakeCatalog } from "../testing/fake-catalog.ts";
import { openConversation } from "./open-conversation.ts";
import type { ConversationRequest } from "./open-conversation.ts";

function rig() {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  return {
    state,
    open: (request: ConversationRequest) =>
      openConversation(request, {
        store: state.sessions,
        compileCatalog: async () => fakeCatalog(),
        wallNow: () => clock.wallNow(),
        hostId: "host-1",
        logger: silentLogger,
      }),
  };
}

describe("opening a conversation", () => {
  it("[HS-4] goes on in the mode and over the line that the new socket brings", async () => {
    const { open, state } = rig();
    const { conversation } = await open({ channel: "browser", streamingMode: "REALTIME" });
    const { sessionId } = conversation;
    const byPhone = await open({
      sessionId,
      channel: "phone",
      streamingMode: "VOICE_LIVE",
      callConnectionId: "call-1",
    });
    expect(byPhone.resumed).toBe(true);
    const line = { channel: "phone", streamingMode: "VOICE_LIVE", callConnectionId: "call-1" };
    expect(byPhone.conversation.record).toMatchObject(line);
    expect(await state.sessions.get(sessionId)).toMatchObject(line);
    const back = await open({ sessionId, channel: "browser", streamingMode: "REALTIME" });
    expect(back.conversation.record).toMatchObject({ channel: "browser", streamingMode: "REALTIME" });
    expect(back.conversation.record.callConnectionId).toBeUndefined();
  });
});
