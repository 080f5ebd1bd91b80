import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { fakeCatalog } from "../../../testing/fake-catalog.ts";
import { lookWhenTold } from "./look-when-told.ts";

function rig(look: () => Promise<ReturnType<typeof fakeCatalog> | undefined> = async () => undefined) {
  const clock = new VirtualClock();
  const told = { mark: 1 as number | undefined };
  let looks = 0;
  const counted = () => {
    looks += 1;
    return look();
  };
  const check = lookWhenTold("s-1", { markOf: () => told.mark }, counted, clock);
  return { check, clock, told, looks: () => looks };
}

it("looks once at the beginning, and then only when it was told of a change", async () => {
  const { check, told, looks } = rig();
  for (const moment of ["before a turn", "after a reply", "before a turn"] as const) await check(moment);
  expect(looks()).toBe(1);
  told.mark = 2;
  await check("before a turn");
  await check("after a reply");
  expect(looks()).toBe(2);
});

it("looks every time while it may miss what others tell", async () => {
  const { check, told, looks } = rig();
  await check("before a turn");
  told.mark = undefined;
  await check("before a turn");
  await check("before a turn");
  told.mark = 1;
  await check("before a turn");
  await check("before a turn");
  expect(looks()).toBe(4);
});

it("[LIVE-5] looks after a reply without being told once in a minute, and delays no turn by it", async () => {
  const { check, clock, looks } = rig();
  await check("after a reply");
  clock.advance(59_999);
  await check("after a reply");
  expect(looks()).toBe(1);
  clock.advance(1);
  await check("before a turn");
  expect(looks()).toBe(1);
  await check("after a reply");
  await check("after a reply");
  expect(looks()).toBe(2);
});

it("looks again for what was told while it looked, and where a look has failed", async () => {
  const answers = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const asked = [...answers];
  const { check, told, looks } = rig(() => asked.shift()?.promise ?? Promise.resolve(fakeCatalog()));
  const first = check("before a turn");
  told.mark = 2;
  answers[0]?.resolve(undefined);
  expect(await first).toBeUndefined();
  const second = check("before a turn");
  answers[1]?.reject(new VoiceError("cache_connection_failed", "away"));
  await expect(second).rejects.toThrow("away");
  expect(await check("before a turn")).toBeDefined();
  expect(await check("before a turn")).toBeUndefined();
  expect(looks()).toBe(3);
});
