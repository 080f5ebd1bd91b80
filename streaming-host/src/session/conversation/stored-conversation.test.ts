import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { updateSession } from "@voice/shared/state/update-session";
import { expect, it } from "vitest";
import { StoredConversation } from "./stored-conversation.ts";

it("[ACCESS-20d] writes nothing to a session that has come to have its id after it was deleted", async () => {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const create = () => sessions.create({ ...newSession("s-1", clock.wallNow()), hostId: "host-1" });
  const onTakenOver = () => expect.fail("nobody has taken it over");
  const stored = new StoredConversation({ record: await create(), store: sessions, logger: silentLogger, onTakenOver });
  await sessions.delete("s-1");
  clock.advance(5);
  const later = await create();
  const item = {
    role: "user",
    content: "late",
    agent: "clerk",
    turnId: "t-1",
    timestampMs: 0,
    interrupted: false,
  } as const;
  stored.append(() => ({ items: [item], appendId: "a-1" }));
  stored.update({ status: "ended" });
  await stored.flush();
  expect(await sessions.get("s-1")).toEqual(later);
  expect(await sessions.history("s-1")).toEqual([]);
});

it("stores the end of a conversation although several requests change its session at the same time", async () => {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const record = await sessions.create({ ...newSession("s-1", clock.wallNow()), hostId: "host-1" });
  const request = (): Promise<unknown> =>
    updateSession("s-1", sessions, ({ version }) => ({ memory: { requests: version } }));
  await request();
  let others = 3;
  const stored = new StoredConversation({
    record,
    store: {
      create: (session) => sessions.create(session),
      async get(sessionId) {
        const found = await sessions.get(sessionId);
        if (others-- > 0) await request();
        return found;
      },
      update: (...change) => sessions.update(...change),
      appendTurn: (...turn) => sessions.appendTurn(...turn),
      keepAlive: (living) => sessions.keepAlive(living),
      history: (sessionId) => sessions.history(sessionId),
      metrics: (sessionId) => sessions.metrics(sessionId),
      list: (query) => sessions.list(query),
      delete: (sessionId) => sessions.delete(sessionId),
    },
    logger: silentLogger,
    onTakenOver: () => expect.fail("nobody has taken it over"),
  });
  stored.update({ status: "ended" });
  await stored.flush();
  expect(await sessions.get("s-1")).toMatchObject({ status: "ended", memory: { requests: record.version + 3 } });
});

it("writes nothing over what another host has made of the conversation, and says that it has taken it over", async () => {
  const clock = new VirtualClock();
  const { sessions } = createMemoryState({ clock });
  const record = await sessions.create({ ...newSession("s-1", clock.wallNow()), hostId: "host-1" });
  await sessions.update("s-1", record.version, { hostId: "host-2", activeAgent: "cards" });
  let isTakenOver = false;
  const stored = new StoredConversation({
    record,
    store: sessions,
    logger: silentLogger,
    onTakenOver: () => {
      isTakenOver = true;
    },
  });
  stored.update({ status: "ended", activeAgent: "desk" });
  await stored.flush();
  expect(isTakenOver).toBe(true);
  expect(await sessions.get("s-1")).toMatchObject({ status: "active", hostId: "host-2", activeAgent: "cards" });
});
