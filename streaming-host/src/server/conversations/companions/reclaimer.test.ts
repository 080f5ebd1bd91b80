import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { updateSession } from "@voice/shared/state/update-session";
import { describe, expect, it } from "vitest";
import { endedByLostHost } from "../../../session/conversation/ended-by-lost-host.ts";
import { conversationsRig } from "../../../testing/conversations-rig.ts";

const checkedMs = 11_000;
const checkedAgainMs = 61_000;

/** A browser's conversation on a host that others cannot see. */
async function cutOff() {
  const rig = conversationsRig({ options: { idleMs: 600_000 } });
  const { state, pass, connect } = rig;
  const shown: string[] = [];
  await state.liveUpdates.watch("all", ({ text }) => shown.push(text));
  const browser = await connect({ sessionId: "one" });
  await pass(1000);
  return {
    ...rig,
    shown,
    browser,
    async session(): Promise<SessionRecord> {
      const found = await state.sessions.get("one");
      return typeof found === "string" ? expect.fail(found) : found;
    },
    /** As a host does that takes this one for dead. */
    endAsLost: () => updateSession("one", state.sessions, endedByLostHost),
  };
}

describe("a conversation on a host that others took for dead", () => {
  it("[HS-12a] is active again when the host is back, and those who watch are told", async () => {
    const { conversations, pass, session, endAsLost, shown, browser } = await cutOff();
    await endAsLost();
    shown.length = 0;
    conversations.returned();
    await pass(checkedMs);
    const { status, endReason } = await session();
    expect({ status, endReason }).toEqual({ status: "active", endReason: undefined });
    expect(shown.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({
        type: "session",
        payload: expect.objectContaining({ session_id: "one", resumed: true }),
      }),
    );
    expect(browser.closes).toBe(0);
    await browser.connection.close("finished");
    await pass(100);
    expect(await session()).toMatchObject({ status: "ended", endReason: "caller_left" });
  });

  it("[HS-12a] is active again although another host ends it when this one is just back", async () => {
    const { conversations, pass, session, endAsLost } = await cutOff();
    conversations.returned();
    await pass(checkedMs);
    await endAsLost();
    await pass(checkedAgainMs - checkedMs);
    expect(await session()).toMatchObject({ status: "active" });
  });

  it("[HS-12c] stays ended if it has ended here meanwhile", async () => {
    const { conversations, pass, session, endAsLost, browser } = await cutOff();
    await endAsLost();
    conversations.returned();
    await browser.connection.close("finished");
    await pass(checkedAgainMs);
    expect(await session()).toMatchObject({ status: "ended", endReason: "caller_left" });
  });

  it("[HS-9] [HS-12b] is left to the host on which its client has resumed it", async () => {
    const { conversations, pass, session, state, browser } = await cutOff();
    await updateSession("one", state.sessions, () => ({ hostId: "host-2" }));
    conversations.returned();
    await pass(checkedMs);
    expect(browser.closes).toBe(1);
    expect(await session()).toMatchObject({ status: "active", hostId: "host-2" });
  });

  it("[HS-12c] is told goodbye if it was reset meanwhile", async () => {
    const { conversations, pass, session, state, browser } = await cutOff();
    await updateSession("one", state.sessions, () => ({ status: "ended" }));
    conversations.returned();
    await pass(checkedMs + 5000);
    expect(browser.closes).toBe(1);
    expect(await session()).toMatchObject({ status: "ended" });
  });

  it("[HS-12c] is told goodbye if it was deleted meanwhile", async () => {
    const { conversations, pass, state, browser } = await cutOff();
    await state.sessions.delete("one");
    conversations.returned();
    await pass(checkedMs + 5000);
    expect(browser.closes).toBe(1);
    expect(await state.sessions.get("one")).toBe("expired");
  });

  it("goes on unchanged if nobody has touched it", async () => {
    const { conversations, pass, session, browser } = await cutOff();
    const { version } = await session();
    conversations.returned();
    await pass(checkedAgainMs);
    expect([(await session()).version, browser.closes]).toEqual([version, 0]);
  });

  it("leaves no timer behind", async () => {
    const { conversations, clock, pass, browser } = await cutOff();
    conversations.returned();
    await browser.connection.close("finished");
    await conversations.close();
    await pass(1000);
    expect(clock.pendingTimers).toBe(0);
  });
});
