import { anonymous, ownerOf, type Caller } from "@voice/shared/auth/caller";
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { contextInstructions, contextOf } from "@voice/shared/conversation/call-context";
import { languageIn, timeZoneIn } from "@voice/shared/conversation/spoken-language";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { describe, expect, it } from "vitest";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { openConversation } from "./open-conversation.ts";
import type { ConversationRequest, RoutedConversation } from "./open-conversation.ts";

interface RigOptions {
  readonly isAway?: boolean;
  readonly catalog?: SessionCatalog;
  readonly routed?: RoutedConversation | undefined;
}

/** `isAway`: nobody can say what is stored. */
function rig({ isAway = false, catalog = fakeCatalog(), routed }: RigOptions = {}) {
  const clock = new VirtualClock();
  const state = createMemoryState({ clock });
  if (isAway) state.sessions.get = () => Promise.reject(new VoiceError("cache_connection_failed", "away"));
  return {
    clock,
    state,
    open: (request: Omit<ConversationRequest, "caller" | "owner">, caller: Caller = anonymous) =>
      openConversation(
        { caller, owner: ownerOf(caller), routed, ...request },
        {
          store: state.sessions,
          compileCatalog: async () => catalog,
          wallNow: () => clock.wallNow(),
          hostId: "host-1",
          logger: silentLogger,
          historyLimit: { maxCharacters: 100_000, onReached: () => undefined },
        },
      ),
  };
}

describe("a conversation for which the table of routes has a row", () => {
  const catalog = fakeCatalog({ agents: [fakeAgent("desk"), fakeAgent("night")] });
  const { name: scenario } = catalog.scenario;
  const routed = { scenario, agent: "night", language: "fr-FR", timeZone: "Europe/Paris" };

  it("[ROUTE-6] begins as the row says, unless its client names a scenario, a language or a time zone", async () => {
    const { open } = rig({ catalog, routed });
    const plain = await open({ channel: "browser", streamingMode: "REALTIME" });
    expect(plain.conversation.record.activeAgent).toBe("night");
    expect(languageIn(plain.conversation.record.memory)).toBe("fr-FR");
    expect(timeZoneIn(plain.conversation.record.memory)).toBe("Europe/Paris");
    const own = await open({ channel: "browser", streamingMode: "REALTIME", language: "de-DE" });
    expect(languageIn(own.conversation.record.memory)).toBe("de-DE");
    const named = await open({ channel: "browser", streamingMode: "REALTIME", scenario });
    expect(named.conversation.record.activeAgent).toBe("desk");
    expect(timeZoneIn(named.conversation.record.memory)).toBeUndefined();
  });
});

describe("opening a conversation", () => {
  it("[TAKE-3h] finds out how long a call had no host, unless its last host has handed it over", async () => {
    const { open } = rig();
    const request = { channel: "phone", streamingMode: "MEDIA", sessionId: "session-0123456789" } as const;
    const timeWithoutHost = async (): Promise<number> => 1500;
    expect(await open({ ...request, timeWithoutHost })).not.toHaveProperty("lostMs");
    const lost = await open({ ...request, timeWithoutHost });
    expect(lost).toMatchObject({ resumed: true, lostMs: 1500 });
    lost.conversation.release({ isComplete: true });
    await lost.conversation.flush();
    expect(await open({ ...request, timeWithoutHost })).not.toHaveProperty("lostMs");
  });

  it("[TAKE-3i] counts from the first of several hosts that were lost before anything was said", async () => {
    const { open, clock } = rig();
    const request = { channel: "phone", streamingMode: "MEDIA", sessionId: "session-0123456789" } as const;
    const timeWithoutHost = async (): Promise<number> => 300;
    await open(request);
    await clock.advanceAsync(1000);
    expect(await open({ ...request, timeWithoutHost })).toMatchObject({ lostMs: 300 });
    await clock.advanceAsync(5000);
    const third = await open({ ...request, timeWithoutHost });
    expect(third).toMatchObject({ lostMs: 5000 });
    third.conversation.append([
      {
        role: "user",
        content: "hello",
        agent: "desk",
        turnId: "turn-1",
        timestampMs: clock.wallNow() + 1,
        interrupted: false,
      },
    ]);
    await third.conversation.flush();
    await clock.advanceAsync(2000);
    expect(await open({ ...request, timeWithoutHost })).toMatchObject({ lostMs: 300 });
  });

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

  it("[HS-4] resumes a session that another host has begun since it was looked for, for its owner only", async () => {
    const { open, state } = rig();
    const line = { sessionId: "of-two-sockets", channel: "browser", streamingMode: "REALTIME" } as const;
    const alice = { subject: "alice", isOperator: false, mayPlaceCalls: false, mayMakeAgents: false };
    const { get } = state.sessions;
    const openTooSoon = (caller: Caller) => {
      state.sessions.get = async () => {
        state.sessions.get = get.bind(state.sessions);
        return "unknown";
      };
      return open(line, caller);
    };
    expect(await openTooSoon(alice)).toMatchObject({ resumed: false });
    expect(await openTooSoon(alice)).toMatchObject({ resumed: true });
    await expect(openTooSoon({ ...alice, subject: "bob" })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("[HS-1] [CTRL-2] resumes nothing where a reset over HTTP has begun the session", async () => {
    const { open, state } = rig();
    const line = { channel: "browser", streamingMode: "REALTIME" } as const;
    const { record } = (await open(line)).conversation;
    const fresh = { ...record, sessionId: "fresh", claimedAtMs: undefined, hostId: undefined };
    await state.sessions.create(fresh);
    expect(await open({ ...line, sessionId: "fresh" })).toMatchObject({ resumed: false });
    expect(await open({ ...line, sessionId: "fresh" })).toMatchObject({ resumed: true });
  });

  it("[HS-4] resumes a session that its previous host is still writing to, and gives up if that never ends", async () => {
    const { open, state } = rig();
    const { conversation } = await open({ channel: "browser", streamingMode: "REALTIME" });
    const { sessionId } = conversation;
    const { get, update } = state.sessions;
    const resumeDuringWrites = (writes: number) => {
      let left = writes;
      state.sessions.get = async (id) => {
        const found = await get.call(state.sessions, id);
        if (typeof found !== "string" && left-- > 0) await update.call(state.sessions, id, found.version, {});
        return found;
      };
      return open({ sessionId, channel: "browser", streamingMode: "REALTIME" });
    };
    expect(await resumeDuringWrites(4)).toMatchObject({ resumed: true });
    await expect(resumeDuringWrites(Infinity)).rejects.toMatchObject({ code: "conflict" });
  });

  it("[CACHE-5b] begins the conversation of a call, and no other, where nobody can say what is stored of it", async () => {
    const { open } = rig({ isAway: true });
    const line = { sessionId: "session-1", channel: "phone", streamingMode: "MEDIA" } as const;
    expect(await open({ ...line, callId: "call-1" })).toMatchObject({ resumed: false });
    await expect(open(line)).rejects.toMatchObject({ code: "cache_connection_failed" });
  });

  it("[CACHE-5c] begins no conversation over a call's session that can be reached and cannot be read", async () => {
    const { open, state } = rig();
    state.sessions.get = () => Promise.reject(new VoiceError("internal_error", "unreadable"));
    const line = { sessionId: "session-1", channel: "phone", streamingMode: "MEDIA", callId: "call-1" } as const;
    await expect(open(line)).rejects.toMatchObject({ code: "internal_error" });
  });

  it("[FR-8c] does not resume a session with a thousand recordings, which its record lists, except on the phone", async () => {
    const { open, state } = rig();
    const { conversation } = await open({ channel: "browser", streamingMode: "REALTIME" });
    const { sessionId, version } = conversation.record;
    const recordings = Array.from({ length: 1000 }, (_, at) => ({
      recordingId: `recording-${at}`,
      startedAtMs: at,
      sampleRateHz: 16_000,
      channels: 2 as const,
      status: "complete" as const,
    }));
    await state.sessions.update(sessionId, version, { recordings });
    const line = { sessionId, streamingMode: "REALTIME" } as const;
    await expect(open({ ...line, channel: "browser" })).rejects.toMatchObject({ code: "conflict" });
    expect(await open({ ...line, channel: "phone" })).toMatchObject({ resumed: true });
  });

  it("knows the user by the e-mail address that the client named last, and keeps what else is known", async () => {
    const { open } = rig();
    const line = { channel: "browser", streamingMode: "REALTIME" } as const;
    const { conversation } = await open({ ...line, userEmail: "ada@example.com", context: { plan: "gold" } });
    const { sessionId } = conversation;
    expect(conversation.record.userEmail).toBe("ada@example.com");
    expect(contextOf(conversation.record.memory)).toEqual({ plan: "gold", user_email: "ada@example.com" });
    expect(contextInstructions(conversation.record.memory)).toContain("- user_email: ada@example.com");
    const again = await open({ ...line, sessionId });
    expect(contextOf(again.conversation.record.memory)).toMatchObject({ user_email: "ada@example.com" });
    const renamed = await open({ ...line, sessionId, userEmail: "ada@example.org" });
    expect(contextOf(renamed.conversation.record.memory)).toEqual({ plan: "gold", user_email: "ada@example.org" });
  });

  it("knows the time zone that the client named last, and keeps it where a later connection names none", async () => {
    const { open } = rig();
    const line = { channel: "browser", streamingMode: "REALTIME" } as const;
    const { conversation } = await open({ ...line, timeZone: "Europe/Berlin" });
    const { sessionId } = conversation;
    expect(timeZoneIn(conversation.memory)).toBe("Europe/Berlin");
    const again = await open({ ...line, sessionId });
    expect(timeZoneIn(again.conversation.memory)).toBe("Europe/Berlin");
    const moved = await open({ ...line, sessionId, timeZone: "Asia/Tokyo" });
    expect(timeZoneIn(moved.conversation.memory)).toBe("Asia/Tokyo");
  });

  it("[CUSTOMER-6b] forgets what it remembers of one customer when the client names another", async () => {
    const { open, state } = rig();
    const line = { channel: "browser", streamingMode: "REALTIME" } as const;
    const told = { language: "de-DE", timeZone: "Europe/Berlin", context: { plan: "gold" } };
    const { conversation } = await open({ ...line, ...told, profileId: "profile-a" });
    const { sessionId, version, memory } = conversation.record;
    await state.sessions.update(sessionId, version, { memory: { ...memory, identity_verified: true } });
    const same = await open({ ...line, sessionId, profileId: "profile-a" });
    expect(same.conversation.record.memory).toEqual({ ...memory, identity_verified: true });
    const unnamed = await open({ ...line, sessionId });
    expect(unnamed.conversation.record.memory).toEqual({ ...memory, identity_verified: true });
    const other = await open({ ...line, sessionId, profileId: "profile-b" });
    expect(other.conversation.record).toMatchObject({ profileId: "profile-b" });
    expect(other.conversation.record.memory).toEqual(memory);
  });

  it("[ACCESS-9] goes on with a session for its owner and for operators, and for nobody else", async () => {
    const { open, state } = rig();
    const user = (subject: string): Caller => ({
      subject,
      isOperator: false,
      mayPlaceCalls: false,
      mayMakeAgents: false,
    });
    const line = { sessionId: "session-of-alice", channel: "browser", streamingMode: "REALTIME" } as const;
    await open(line, user("alice"));
    expect(await state.sessions.get("session-of-alice")).toMatchObject({ owner: "alice" });
    await expect(open(line, user("bob"))).rejects.toMatchObject({ code: "forbidden" });
    expect((await open(line, user("alice"))).resumed).toBe(true);
    expect((await open(line, { ...user("carol"), isOperator: true })).resumed).toBe(true);
    expect(await state.sessions.get("session-of-alice")).toMatchObject({ owner: "alice" });
  });
});
