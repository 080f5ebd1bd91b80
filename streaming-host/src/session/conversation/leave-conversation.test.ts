import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { Channel } from "@voice/shared/state/ports/session-store";
import { describe, expect, it, vi } from "vitest";
import { FakeTransport } from "../../testing/fake-transport.ts";
import { openTestConversation } from "../../testing/open-test-conversation.ts";
import type { SessionEnd } from "../modes/live-session.ts";
import { leaveConversation } from "./leave-conversation.ts";

async function leave(channel: Channel, reason: SessionEnd | undefined, isQuiet = true) {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const { conversation } = await openTestConversation({ clock, store: sessions }, { channel, streamingMode: "MEDIA" });
  conversation.remember({ card: "blocked" });
  const transport = new FakeTransport(clock, 16_000, channel);
  let storedWhenClosed: unknown;
  const close = transport.close.bind(transport);
  transport.close = (why) => {
    storedWhenClosed = conversation.record.memory["card"];
    close(why);
  };
  await leaveConversation(conversation, transport, { reason, isQuiet, clock });
  const session = await sessions.get(conversation.sessionId);
  if (typeof session === "string") throw new Error("the session is not stored");
  return { session, closedWith: transport.closedWith, storedWhenClosed };
}

describe("leaving a conversation", () => {
  it("[DRAIN-3] hands a phone call over, with all that is known of it, before its socket is closed", async () => {
    const { session, closedWith, storedWhenClosed } = await leave("phone", "draining");
    expect(session).toMatchObject({ status: "active", memory: { card: "blocked" } });
    expect(session.hostId).toBeUndefined();
    expect(storedWhenClosed).toBe("blocked");
    expect(closedWith).toBe("draining");
  });

  it("[DRAIN-3] leaves its name with a call in mid sentence, so that the next host knows of the gap", async () => {
    const { session } = await leave("phone", "draining", false);
    expect(session).toMatchObject({ status: "active", hostId: "host-1" });
  });

  it("ends the conversation of a browser whose host drains", async () => {
    const { session, closedWith } = await leave("browser", "draining");
    expect(session).toMatchObject({ status: "ended", memory: { card: "blocked" } });
    expect(closedWith).toBe("draining");
  });

  it("[HOOK-15a] [HOOK-15b] has stored all of a platform's conversation before the platform is told that it is over", async () => {
    const { session, closedWith, storedWhenClosed } = await leave("telephony", "finished");
    expect(session).toMatchObject({ status: "ended", memory: { card: "blocked" } });
    expect(storedWhenClosed).toBe("blocked");
    expect(closedWith).toBe("finished");
  });

  it("[HOOK-15d] does not keep a platform's caller waiting for a store that does not answer", async () => {
    const clock = new VirtualClock();
    const { sessions } = createMemoryState({ clock });
    const { conversation } = await openTestConversation(
      { clock, store: sessions },
      { channel: "telephony", streamingMode: "VOICE_LIVE" },
    );
    const stored = Promise.withResolvers<void>();
    vi.spyOn(conversation, "flush").mockReturnValue(stored.promise);
    const transport = new FakeTransport(clock, 8000, "telephony");
    const left = leaveConversation(conversation, transport, { reason: "finished", isQuiet: true, clock });
    await clock.advanceAsync(990);
    expect(transport.closedWith).toBeUndefined();
    await clock.advanceAsync(20);
    expect(transport.closedWith).toBe("finished");
    stored.resolve();
    await left;
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends a phone call for any other reason", async () => {
    const { session } = await leave("phone", "finished");
    expect(session.status).toBe("ended");
  });

  it("leaves the socket open for the conversation that a reset is followed by", async () => {
    const { session, closedWith } = await leave("browser", "reset");
    expect(session.status).toBe("ended");
    expect(closedWith).toBeUndefined();
  });
});
