/**
 * The contract of the state, once for each small change to the scripts of one file (`MUTATION_SCRIPTS`), on one real server. Writes to
 * `out/mutation` which tests have noticed which change.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { defaultLifeSpans } from "@voice/shared/state/life-spans";
import { closeWithTheirTests, type OpenState } from "@voice/shared/state/ports/harness.contract";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { sleep } from "../support/wait.ts";
import { defineCopy, importState, importTests } from "./changed-copies.ts";
import { luaChanges, type LuaChange } from "./lua-changes.ts";
import { resultOf, timeOut, type ScriptResult } from "./script-report.ts";
import { contractsOf, filesOf } from "./script-sets.ts";

const name = process.env["MUTATION_SCRIPTS"] ?? "";
const file = `${name}.ts`;
const source = readFileSync(new URL(`../../shared/src/state/redis/${file}`, import.meta.url), "utf8");
const unchanged: LuaChange = { at: 0, before: "", after: "" };
/** With nothing changed first and last: if a test "notices" that, the machine is too slow to say anything. */
const changes = [unchanged, ...luaChanges(source), unchanged];
const noticedBy = new Map<number, string>();
const lasting = (ms: number): number => ms * 4;

let server: RedisServer;
beforeAll(async () => {
  server = await startRedisServer({ args: ["--appendonly", "no"] });
});

afterAll(async () => {
  await noticeEndlessKeys();
  await server.stop();
  const results = changes.map((change, index): ScriptResult => ({
    line: source.slice(0, change.at).split("\n").length,
    before: change.before,
    after: change.after,
    ...(noticedBy.has(index) ? { noticedBy: noticedBy.get(index) } : {}),
  }));
  mkdirSync("out/mutation", { recursive: true });
  writeFileSync(resultOf(name), JSON.stringify(results, undefined, 1));
});

for (const [index, { at, before, after }] of changes.entries())
  defineCopy(String(index), file, source.slice(0, at) + after + source.slice(at + before.length));

describe.concurrent("the contract of the state with a changed script", () => {
  closeWithTheirTests();
  for (const index of changes.keys())
    describe(`change ${index}`, () => {
      noteFailures(index);
      for (const describeContract of contractsOf(name)) describeContract(opener(index));
    });
});

/** Most wait for as long as a busy machine may need. */
const limit = { timeout: 10_000 };

describe("tests with a server of their own, and a changed script", limit, () => {
  for (const index of changes.keys())
    describe(`change ${index}`, async () => {
      noteFailures(index);
      for (const path of filesOf(name)) await importTests(String(index), path);
    });
});

/** Nothing more is tried once a change has been noticed. */
function noteFailures(index: number): void {
  beforeEach(({ skip, onTestFailed, task }) => {
    if (noticedBy.has(index)) skip();
    onTestFailed(() => {
      const [error] = task.result?.errors ?? [];
      noticedBy.set(index, `${error?.message.includes("timed out") === true ? timeOut : ""}${task.name}`);
    });
  });
}

function opener(index: number): OpenState {
  return async (lifeSpans = {}) => {
    const { openRedisState } = await importState(String(index));
    const spans = Object.entries(lifeSpans).map(([span, ms]) => [span, lasting(ms)] as const);
    const parts = { clock: systemClock, logger: silentLogger };
    const state = await openRedisState(server.endpoint, parts, {
      keyPrefix: `${index}:${randomUUID()}:`,
      lifeSpans: { ...defaultLifeSpans, ...Object.fromEntries(spans) },
      retry: { maxAttempts: 3, firstDelayMs: 20, maxDelayMs: 40 },
      reclaimAfterMs: lasting(1000),
      closeBoundMs: lasting(1000),
    });
    return { state, nowMs: () => Date.now(), elapse: (ms) => sleep(lasting(ms)), lasting, close: () => state.close() };
  };
}

/** As the contract of the state in Redis does for its server. */
async function noticeEndlessKeys(): Promise<void> {
  const redis = server.admin();
  let cursor = "0";
  do {
    const [next, keys] = await redis.scan(cursor, "COUNT", 1000);
    cursor = next;
    const ends = await Promise.all(keys.map((key) => redis.pttl(key)));
    for (const [at, key] of keys.entries())
      if (ends[at] === -1) noticedBy.set(Number(key.split(":")[0]), "has given every key an end");
  } while (cursor !== "0");
}
