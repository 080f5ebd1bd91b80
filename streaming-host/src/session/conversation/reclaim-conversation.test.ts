import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { SessionPatch } from "@voice/shared/state/ports/session-store";
import { describe, expect, it } from "vitest";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import { endedByLostHost } from "./ended-by-lost-host.ts";
import { reclaimConversation } from "./reclaim-conversation.ts";

/** A conversation of this host, and what somebody else has written meanwhile. */
async function rig(meanwhile: SessionPatch = {}) {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const { conversation } = await openTestConversation({ clock, store: sessions }, { streamingMode: "MEDIA" });
  await sessions.update(conversation.sessionId, conversation.record.version, meanwhile);
  return { conversation, sessions };
}

describe("a conversation whose host could not be reached", () => {
  it.each([
    { meanwhile: {}, outcome: "ours" },
    { meanwhile: { hostId: "host-2" }, outcome: "taken over" },
    { meanwhile: { status: "ended", endReason: "reset" }, outcome: "reset" },
  ] as const)("[HS-12b] [HS-12c] is $outcome after $meanwhile", async ({ meanwhile, outcome }) => {
    const { conversation, sessions } = await rig(meanwhile);
    expect(await reclaimConversation(conversation, sessions)).toBe(outcome);
  });

  it("[HS-12a] is stored as active again where it was ended because its host was taken for dead", async () => {
    const { conversation, sessions } = await rig(endedByLostHost({}));
    expect(await reclaimConversation(conversation, sessions)).toBe("restored");
    const stored = await sessions.get(conversation.sessionId);
    expect(stored).toMatchObject({ status: "active" });
    expect(stored).not.toMatchObject({ endReason: "host_lost" });
  });

  it("[HS-12c] is ours where the store has lost its data, and gone where it was deleted", async () => {
    const { conversation } = await rig();
    expect(await reclaimConversation(conversation, { get: async () => "unknown" })).toBe("ours");
    expect(await reclaimConversation(conversation, { get: async () => "expired" })).toBe("deleted");
  });

  it("[HS-12c] is ours where it has ended here, whatever is stored", async () => {
    const { conversation, sessions } = await rig();
    conversation.end();
    expect(await reclaimConversation(conversation, sessions)).toBe("ours");
  });
});
