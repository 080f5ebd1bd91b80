import { expect, it } from "vitest";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { createMemoryState } from "../state/memory/create-memory-state.ts";
import { newSession } from "../state/ports/session-store.contract.ts";
import { conversationOf } from "./conversation-of-call.ts";

const hour = 3_600_000;

it("[ACCESS-20c] a call's conversation is not the one that began under the same id when the call was over", async () => {
  const { sessions } = createMemoryState({ clock: new VirtualClock(10 * hour) });
  const session = await sessions.create(newSession("session-1", 10 * hour));
  const find = (endedAtMs?: number) => conversationOf({ sessionId: "session-1", endedAtMs }, sessions);
  expect(await find()).toEqual(session);
  expect(await find(11 * hour)).toEqual(session);
  expect(await find(10 * hour - 5000)).toEqual(session); // by a clock that is 5 s slow
  expect(await find(9 * hour)).toBeUndefined();
  expect(await conversationOf({ sessionId: "session-2" }, sessions)).toBeUndefined();
});
