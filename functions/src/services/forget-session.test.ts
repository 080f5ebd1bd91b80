import { ownerMark } from "@voice/shared/auth/owner-mark";
import type { ConversationArchive, KeptConversation } from "@voice/shared/archive/conversation-archive";
import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { expect, it, vi } from "vitest";
import { forgetSession } from "./forget-session.ts";

const sessionId = "session-of-many";
const callerOf = (subject: string) => ({ subject, isOperator: false, mayPlaceCalls: false, mayMakeAgents: false });

/** Ann's conversation is in the archive, and Bob's has the id now. Neither end could be delivered yet. */
async function rig(onArchiveRead: (state: State) => Promise<unknown> = async () => undefined) {
  const state = createMemoryState({ clock: new VirtualClock() });
  await state.sessions.create({ ...newSession(sessionId, 2), owner: "bob" });
  for (const owner of ["ann", "bob"]) {
    const facts = { id: `evt_${owner}`, type: "session.ended", subject: sessionId, sessionId } as const;
    const delivery = { ...facts, ownerMark: ownerMark({ sessionId, owner }), receiver: "crm", body: "{}" };
    await state.webhooks.put(delivery, 0);
  }
  const kept: KeptConversation[] = [
    { sessionId, createdAt: "1970-01-01T00:00:00.001Z", owner: "ann", recordingIds: [] },
  ];
  const archive: ConversationArchive = {
    keep: async () => undefined,
    async conversationsOf() {
      await onArchiveRead(state);
      return [...kept];
    },
    read: async () => undefined,
    list: async () => ({ sessions: [], total: 0 }),
    forget: async () => kept.pop() !== undefined,
  };
  const dependencies = { state, archive: async () => archive, recordings: async () => undefined };
  return {
    state,
    forget: (subject: string) => forgetSession(sessionId, callerOf(subject), dependencies),
    left: async () => (await state.webhooks.take("crm", 10, 60_000)).map(({ id }) => id),
  };
}

it("[WEBHOOK-7] [ACCESS-20e] takes back no message about another owner's conversation under the same id", async () => {
  const { state, forget, left } = await rig();
  await forget("bob");
  expect(await state.sessions.get(sessionId)).toBe("expired");
  expect(await left()).toEqual(["evt_ann"]);
});

it("[WEBHOOK-7] [ACCESS-20e] takes back the messages of an owner whose id somebody else has now", async () => {
  const { state, forget, left } = await rig();
  await forget("ann");
  expect(await state.sessions.get(sessionId)).toMatchObject({ owner: "bob" });
  expect(await left()).toEqual(["evt_bob"]);
});

it("has nothing against another request that deletes the session at the same time", async () => {
  const { state, forget } = await rig(async ({ sessions }) => sessions.delete(sessionId));
  await forget("bob");
  expect(await state.sessions.get(sessionId)).toBe("expired");
});

it("[REC-9] deletes nothing of a session that could not be marked, so that it can be deleted again", async () => {
  const { state, forget, left } = await rig();
  vi.spyOn(state.sessions, "update").mockRejectedValueOnce(new VoiceError("cache_connection_failed", "Redis is away"));
  await expect(forget("bob")).rejects.toMatchObject({ code: "cache_connection_failed" });
  expect(await state.sessions.get(sessionId)).toMatchObject({ owner: "bob" });
  expect(await left()).toEqual(["evt_ann", "evt_bob"]);
});

it("[ACCESS-26] forgets whom the call of the conversation connected", async () => {
  const { state, forget } = await rig();
  await state.calls.create({
    ...newCall("call-1", await state.time()),
    callConnectionId: "connection-1",
    owner: "bob",
  });
  const found = await state.sessions.get(sessionId);
  if (typeof found === "string") throw new Error("the session is there");
  await state.sessions.update(sessionId, found.version, { callConnectionId: "connection-1" });
  await forget("bob");
  expect(await state.calls.get("call-1")).toMatchObject({ isForgotten: true, context: {} });
  expect((await state.calls.get("call-1"))?.targetNumber).toBeUndefined();
});

it("[ACCESS-26] forgets the customers that were made for the session, and no other's", async () => {
  const { state, forget } = await rig();
  for (const [profileId, of] of [
    [`profile-of-${sessionId}`, sessionId],
    ["made", sessionId],
  ] as const)
    await state.profiles.create({ profileId, document: {}, sessionId: of });
  await state.profiles.create({ profileId: "elsewhere", document: {}, sessionId: "another" });
  const found = await state.sessions.get(sessionId);
  if (typeof found === "string") throw new Error("the session is there");
  await state.sessions.update(sessionId, found.version, { profileId: "made" });
  await forget("bob");
  const left = await Promise.all([`profile-of-${sessionId}`, "made", "elsewhere"].map((id) => state.profiles.get(id)));
  expect(left.map((profile) => profile?.profileId)).toEqual([undefined, undefined, "elsewhere"]);
});
