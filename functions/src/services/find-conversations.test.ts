import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { conversationRow } from "@voice/shared/state/ports/conversation-table.contract";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { tabulateConversations } from "@voice/shared/state/tabulated-state";
import { expect, it } from "vitest";
import { findConversations, formatPlace, parsePlace } from "./find-conversations.ts";

const clock = new VirtualClock();
const query = { limit: 10 };

it("[LIST-7] mends a row whose writer died before the end was entered", async () => {
  const state = createMemoryState({ clock });
  const live = tabulateConversations(state, clock, silentLogger);
  const { version } = await live.sessions.create(newSession("s-1", clock.wallNow()));
  await live.calls.create({ ...newCall("k-2", clock.wallNow()), sessionId: "s-2" });
  await clock.advanceAsync(1);
  await state.sessions.update("s-1", version, { status: "ended", endReason: "host_lost" });
  await state.calls.update("k-2", 1, { status: "failed", failureCode: "no_answer" });
  const { rows } = await findConversations(query, state);
  const found = Object.fromEntries(rows.map(({ sessionId, outcome }) => [sessionId, outcome]));
  expect(found).toEqual({ "s-1": "failed", "s-2": "no_answer" });
  expect((await state.conversations.list({ ...query, outcome: "in_progress" })).rows).toEqual([]);
});

it("lists a call that rings, and no conversation that was deleted", async () => {
  const state = createMemoryState({ clock });
  await state.conversations.put(conversationRow("s-1", clock.wallNow(), { outcome: "in_progress" }));
  await state.sessions.create(newSession("s-1", clock.wallNow()));
  await state.sessions.delete("s-1");
  await state.calls.create({ ...newCall("k-2", clock.wallNow()), sessionId: "s-2" });
  await state.conversations.put(conversationRow("s-2", clock.wallNow(), { outcome: "in_progress", callId: "k-2" }));
  expect((await findConversations(query, state)).rows).toMatchObject([{ sessionId: "s-2", outcome: "in_progress" }]);
});

it("reads the place of a page as it was written, and refuses anything else", () => {
  const place = { startedAtMs: 1_772_352_000_000, sessionId: "session-MA-dGa.é" };
  expect(parsePlace(formatPlace(place))).toEqual(place);
  for (const text of ["", "abc", formatPlace({ startedAtMs: -1, sessionId: "s" }), "W10", "__proto__"])
    expect(() => parsePlace(text)).toThrow("does not fit its schema");
});
