import { createId, createUuid } from "@voice/shared/platform/ids";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { expect, it } from "vitest";
import { conversationsRig } from "../testing/conversations-rig.ts";
import { RecentFailures } from "./recent-failures.ts";

it("remembers the newest failures of what the host depends on", async () => {
  const clock = new VirtualClock();
  const failures = new RecentFailures(clock);
  for (let index = 0; index < 12; index += 1) {
    failures.note({ part: "recogniser", code: `code-${index}` });
    await clock.advanceAsync(1000, 1000);
  }
  expect(failures.list).toHaveLength(10);
  expect(failures.list[0]).toEqual({ part: "recogniser", code: "code-11", atMs: clock.wallNow() - 1000 });
});

it.each([
  [createId("session"), true],
  [createUuid(), true],
  ["+12025550123", false],
  ["una@example.com", false],
  ["session-of-una.example", false],
])(
  "[OPS-7d] names the conversation only by an id in which a client can have written nothing: %s",
  (sessionId, isKept) => {
    const failures = new RecentFailures(new VirtualClock());
    failures.note({ part: "model", code: "rate_limited", sessionId });
    expect(failures.list[0]?.sessionId).toBe(isKept ? sessionId : undefined);
  },
);

it("keeps the reason short", () => {
  const failures = new RecentFailures(new VirtualClock());
  failures.note({ part: "model", code: "rate_limited", reason: "x".repeat(1000) });
  expect(failures.list[0]?.reason).toHaveLength(200);
});

it("[OPS-7c] [OPS-7d] remembers in which conversation an answer failed, and why, but nothing that only the log may hold", async () => {
  const clock = new VirtualClock();
  const failures = new RecentFailures(clock);
  const rig = conversationsRig({ clock, options: { failures } });
  rig.languageModel.failure = new VoiceError("rate_limited", "secret words", { reason: "the endpoint answered 429" });
  const browser = await rig.connect();
  await rig.pass(2000);
  browser.type("what is my balance");
  await rig.pass(1000);
  const [sessionId] = browser.sessionIds;
  const reason = "the endpoint answered 429";
  expect(failures.list).toEqual([{ part: "model", code: "rate_limited", reason, sessionId, atMs: expect.any(Number) }]);
  browser.leave();
  await rig.pass(1000);
});

it("remembers as well that a caller heard nothing, because what hangs reports no failure", async () => {
  const clock = new VirtualClock();
  const failures = new RecentFailures(clock);
  const rig = conversationsRig({ clock, options: { failures } });
  const browser = await rig.connect();
  await rig.pass(2000);
  rig.languageModel.hangs = true;
  browser.type("what is my balance");
  await rig.pass(15_000);
  expect(failures.list.at(-1)).toMatchObject({
    part: "model",
    code: "upstream_timeout",
    sessionId: browser.sessionIds[0],
  });
  browser.leave();
  await rig.pass(1000);
});
