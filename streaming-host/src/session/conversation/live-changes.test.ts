import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { fakeCatalog } from "../../testing/fake-catalog.ts";
import { LiveChanges } from "./live-changes.ts";

function rig() {
  const clock = new VirtualClock();
  const looks: PromiseWithResolvers<SessionCatalog | undefined>[] = [];
  const log: string[] = [];
  let isReplying = false;
  const changes = new LiveChanges({
    clock,
    logger: silentLogger,
    isReplying: () => isReplying,
    look: () => {
      const look = Promise.withResolvers<SessionCatalog | undefined>();
      looks.push(look);
      return look.promise;
    },
    take: () => log.push("taken"),
  });
  const replying = (is: boolean): void => {
    isReplying = is;
  };
  return { changes, clock, looks, log, replying };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

it("takes a change over as soon as it is found while nobody speaks", async () => {
  const { changes, looks, log } = rig();
  changes.look("before a turn");
  changes.look("before a turn");
  await tick();
  expect(looks).toHaveLength(1);
  looks[0]?.resolve(fakeCatalog());
  await tick();
  expect(log).toEqual(["taken"]);
});

it("[LIVE-1] keeps a change that is found in the middle of a reply until the reply is over", async () => {
  const { changes, looks, log, replying } = rig();
  replying(true);
  changes.look("before a turn");
  await tick();
  looks[0]?.resolve(fakeCatalog());
  await tick();
  changes.takeFound();
  expect(log).toEqual([]);
  replying(false);
  changes.takeFound();
  changes.takeFound();
  expect(log).toEqual(["taken"]);
});

it("lets a typed turn see what changed before it, although an older look is under way", async () => {
  const { changes, looks, log } = rig();
  changes.look("before a turn");
  changes.before(() => log.push("turn"));
  await tick();
  looks[0]?.resolve(undefined);
  await tick();
  expect(log).toEqual([]);
  looks[1]?.resolve(fakeCatalog());
  await tick();
  expect(log).toEqual(["taken", "turn"]);
});

it("runs typed turns in their order, without waiting long for a slow store", async () => {
  const { changes, clock, looks, log } = rig();
  changes.before(() => log.push("one"));
  changes.before(() => log.push("two"));
  await tick();
  expect(log).toEqual([]);
  clock.advance(250);
  await tick();
  clock.advance(250);
  await tick();
  expect(log).toEqual(["one", "two"]);
  looks[0]?.resolve(fakeCatalog());
  await tick();
  expect(log).toEqual(["one", "two", "taken"]);
});

it("[LIVE-1] the session continues with the catalog that it has while the store is away", async () => {
  const { changes, looks, log } = rig();
  changes.before(() => log.push("turn"));
  await tick();
  looks[0]?.reject(new VoiceError("cache_connection_failed", "away"));
  await tick();
  expect(log).toEqual(["turn"]);
});
