/**
 * Two versions run side by side while one replaces the other: this one reads what the last release has stored, and the last
 * release reads what this one stores. The fixture is the last release's own (test/release/describe-release.ts): its keys, and
 * the schemas by which it reads.
 */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { everyHandler } from "@voice/shared/state/ports/event-bus.contract";
import type { CallStatus } from "@voice/shared/contracts/calls/call-status";
import type { CallEvent } from "@voice/shared/contracts/events/call-event";
import type { Clock } from "@voice/shared/platform/clock";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { newCall } from "@voice/shared/state/ports/call-store.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { createKeys, defaultKeyPrefix } from "@voice/shared/state/redis/keys";
import type { State } from "@voice/shared/state/ports/state";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { sampleEvents, sampleIds, writeSampleState } from "../release/sample-state.ts";
import { readKeys, storedKey, writeKeys } from "../release/stored-keys.ts";
import { eventually } from "../support/wait.ts";
import type { StoredKey } from "../release/stored-keys.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import type { RedisServer } from "../support/redis-server.ts";

const fixture = z
  .object({
    writtenAtMs: z.number(),
    keys: z.array(storedKey),
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
  })
  .parse(JSON.parse(readFileSync(new URL("../fixtures/state-of-the-last-release.json", import.meta.url), "utf8")));

const keys = createKeys(defaultKeyPrefix);
let redis: RedisServer;

describe.runIf(isRedisAvailable())("the state in Redis", () => {
  beforeAll(async () => {
    redis = await startRedisServer();
  });

  afterAll(async () => {
    await redis.stop();
  });

  describe("that the last release has left", () => {
    let state: State;

    beforeAll(async () => {
      await redis.admin().flushall();
      await writeKeys(redis.admin(), fixture.keys);
      // What it has stored is as old as it was when the last release would have read it.
      const clock: Clock = { ...systemClock, wallNow: () => fixture.writtenAtMs + 1000 };
      state = await openRedisState(redis.endpoint, { clock, logger: silentLogger });
    });

    afterAll(async () => {
      await state.close();
    });

    it("[RELEASE-8] has its conversation, which goes on", async () => {
      const session = await state.sessions.get(sampleIds.session);
      if (typeof session === "string") throw new Error(session);
      expect(session).toMatchObject({ channel: "phone", activeAgent: "front-desk", hostId: "host-sample" });
      expect(session.begunCalls?.calls).toHaveLength(1);
      expect((await state.sessions.history(sampleIds.session)).map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "tool",
        "assistant",
      ]);
      expect(await state.sessions.metrics(sampleIds.session)).toMatchObject([{ marks: { first_audio_ms: 700 } }]);
      expect((await state.sessions.list({ offset: 0, limit: 10 })).total).toBe(1);
      const taken = await state.sessions.update(session.sessionId, session.version, { hostId: "host-new" });
      expect(taken).toMatchObject({ hostId: "host-new", version: session.version + 1 });
      await state.sessions.appendTurn(session.sessionId, { items: [], turnCount: 2, appendId: "append-2" });
    });

    it("has its call with its log, found by either id, and takes what becomes of it", async () => {
      const call = await state.calls.getByConnection(sampleIds.connection);
      expect(call).toMatchObject({ callId: sampleIds.call, status: "connected", sessionId: sampleIds.session });
      expect(await state.calls.events(sampleIds.call)).toMatchObject([{ eventId: "event-1", details: { code: 200 } }]);
      const ended = await state.calls.update(sampleIds.call, call?.version ?? 0, { status: "disconnected" });
      expect(ended.status).toBe("disconnected");
      const { calls } = await state.calls.list({ offset: 0, limit: 10, status: "disconnected" });
      expect(calls.map((logged) => logged.call.callId)).toEqual([sampleIds.call]);
    });

    it("has a call that it changed behind our back listed where it stands after its next change", async () => {
      await state.calls.create({ ...newCall("c-both", fixture.writtenAtMs), status: "ringing" });
      const { record } = keys.call("c-both");
      await redis.admin().hset(record, { status: '"connected"', version: 2 });
      await redis.admin().zadd(keys.callIndex({ status: "connected" }), fixture.writtenAtMs, "c-both");
      await state.calls.update("c-both", 2, { status: "on_hold" });
      const listed = async (status: CallStatus): Promise<readonly string[]> => {
        const { calls } = await state.calls.list({ offset: 0, limit: 10, status });
        return calls.map(({ call }) => call.callId);
      };
      expect([await listed("ringing"), await listed("connected"), await listed("on_hold")]).toEqual([
        [],
        [],
        ["c-both"],
      ]);
    });

    it("has its agents, scenarios, profiles and media sessions", async () => {
      expect(await state.agents.override("front-desk")).toMatchObject({ document: { description: "changed" } });
      expect(await state.agents.list(sampleIds.session)).toMatchObject([{ name: "own-agent", version: 1 }]);
      expect(await state.scenarios.list(sampleIds.session)).toMatchObject([{ name: "own-scenario" }]);
      expect(await state.profiles.get("profile-sample")).toMatchObject({ document: { name: "Sample" } });
      expect(await state.mediaSessions.get("media-sample")).toMatchObject({ audioFormat: "pcm_16", status: "active" });
    });
  });

  describe("that the last release publishes events into", () => {
    it("has each of them taken once, beside those of this version", async () => {
      await redis.admin().flushall();
      const left = fixture.keys.filter(({ key }) => key.includes("{events}"));
      await writeKeys(redis.admin(), left, systemClock.wallNow() - fixture.writtenAtMs);
      const state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger });
      const taken: string[] = [];
      const take = async ({ id }: CallEvent): Promise<void> => void taken.push(id);
      await state.events.subscribe(everyHandler(take));
      const [event] = sampleEvents;
      if (event !== undefined) await state.events.publish({ ...event, id: "place:2" });
      await eventually(() => taken.length >= sampleEvents.length + 1, "all events are taken");
      await state.close();
      expect(taken.toSorted()).toEqual([...sampleEvents.map(({ id }) => id), "place:2"].toSorted());
    });
  });

  describe("that the last release has put off until later", () => {
    let state: State;

    beforeEach(async () => {
      await redis.admin().flushall();
      state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger });
    });

    afterEach(() => state.close());

    /** As the last release's scripts have put it, and taken it once already. */
    async function putOff(name: string, facts: Readonly<Record<string, unknown>>, dueInMs = -1): Promise<void> {
      const admin = redis.admin();
      await admin.zadd("voice:{webhooks}:due", String(systemClock.wallNow() + dueInMs), name);
      await admin.hset(`voice:{webhooks}:delivery:${name}`, { facts: JSON.stringify(facts), attempt: 1 });
      await admin.sadd("voice:{webhooks}:of:session-1", name);
    }

    const fact = { type: "session.ended", subject: "session-1", sessionId: "session-1", ownerMark: "mark" } as const;

    it("has its webhooks sent, and not by a host of its own that had one in hand until now", async () => {
      const delivery = { ...fact, id: "evt_1", receiver: "crm" };
      await putOff("evt_1:crm", delivery);
      await putOff("evt_2:crm", { ...delivery, id: "evt_2" }, 60_000);
      expect(await state.webhooks.take("crm", 10, 60_000)).toEqual([{ ...delivery, attempt: 2 }]);
      // By this it finds out whether it still has the delivery.
      expect(await redis.admin().hget("voice:{webhooks}:delivery:evt_1:crm", "attempt")).toBe("2");
      await state.webhooks.finish({ ...delivery, attempt: 2 });
      expect(await redis.admin().hgetall("voice:{webhooks}:delivery:evt_1:crm")).toEqual({ attempt: "2", done: "1" });
      expect(await redis.admin().zrangebyscore("voice:{webhooks}:due", "-inf", "+inf")).toEqual(["evt_2:crm"]);
    });

    it("has its conversations archived, also where the session was deleted meanwhile", async () => {
      const conversation = { createdAtMs: 1, storedAtMs: 2 };
      await putOff("arc_1:archive", { ...fact, id: "arc_1", receiver: "archive", conversation });
      await putOff("evt_1:crm", { ...fact, id: "evt_1", receiver: "crm" });
      await state.webhooks.forgetSession("session-1");
      expect(await state.webhooks.take("crm", 10, 60_000)).toEqual([]);
      const taken = await state.toArchive.take(10, 60_000);
      expect(taken).toEqual([{ id: "arc_1", sessionId: "session-1", ...conversation, attempt: 2 }]);
    });

    it("has the deadlines of its calls watched, and its leases respected", async () => {
      const nowMs = systemClock.wallNow();
      const due = [String(nowMs - 1), "call-1", String(nowMs + 60_000), "call-2"];
      await redis.admin().zadd("voice:{calls}:due:streams", ...due);
      await redis.admin().hset("voice:{calls}:holders:streams", { "call-1": "stream-1", "call-2": "stream-2" });
      expect(await state.callStreams.take({ limit: 10, leaseMs: 60_000 })).toEqual(["call-1"]);
      expect(await state.callStreams.holderOf("call-1")).toBeUndefined();
      expect(await state.callStreams.holderOf("call-2")).toBe("stream-2");
    });

    it("is put off so that its own hosts can take it", async () => {
      const { id, sessionId } = { id: "arc_1", sessionId: "session-1" };
      await state.toArchive.put({ id, sessionId, createdAtMs: 1, storedAtMs: 2 }, 0);
      const text = await redis.admin().hget("voice:{webhooks}:delivery:arc_1:archive", "facts");
      expect(JSON.parse(text ?? "")).toEqual({
        id,
        type: "session.ended",
        subject: sessionId,
        sessionId,
        receiver: "archive",
        conversation: { createdAtMs: 1, storedAtMs: 2 },
      });
      expect(await redis.admin().zrangebyscore("voice:{webhooks}:due", "-inf", "+inf")).toEqual(["arc_1:archive"]);
    });
  });

  describe("that this version leaves to hosts of the last release", () => {
    let written: readonly StoredKey[];

    beforeAll(async () => {
      await redis.admin().flushall();
      const state = await openRedisState(redis.endpoint, { clock: systemClock, logger: silentLogger });
      await writeSampleState(state);
      written = await readKeys(redis.admin());
      await state.close();
    });

    it.each([
      ["sessionRecord", keys.session(sampleIds.session).record],
      ["callRecord", keys.call(sampleIds.call).record],
      ["mediaSession", keys.mediaSession("media-sample").record],
    ])("has every %s as the last release reads it, under the same key", (schema, key) => {
      expect(problemsOf(schema, recordAt(written, key))).toEqual([]);
    });

    it.each([
      ["historyItem", keys.session(sampleIds.session).turns],
      ["turnMetrics", keys.session(sampleIds.session).metrics],
      ["callLogEntry", keys.call(sampleIds.call).log],
      ["storedProfile", `${defaultKeyPrefix}profile:profile-sample`],
      ["sessionDocument", keys.session(sampleIds.session).agents],
      ["sessionDocument", keys.session(sampleIds.session).scenarios],
      ["agentOverride", keys.agentOverrides],
      ["hostHeartbeat", keys.host("host-sample")],
    ])("has every %s as the last release reads it, in %s", (schema, key) => {
      const values = jsonAt(written, key);
      expect(values.length).toBeGreaterThan(0);
      expect(values.flatMap((value) => problemsOf(schema, value))).toEqual([]);
    });

    it("is held against schemas that refuse something", () => {
      expect(problemsOf("sessionRecord", {})).not.toEqual([]);
    });

    it("has the same kinds of keys", () => {
      // Whoever appends remembers it in a place of its own: only the process itself repeats what it had no answer to.
      const own = ["{events}", ":appends"];
      const typesOf = (stored: readonly StoredKey[]) =>
        Object.fromEntries(
          stored.map(({ key, type }) => [key, type]).filter(([key]) => !own.some((part) => key?.includes(part))),
        );
      expect(typesOf(written)).toMatchObject(typesOf(fixture.keys));
    });

    it("has events in a form that the last release can read", () => {
      for (const event of sampleEvents) expect(problemsOf("domainEvent", event)).toEqual([]);
    });
  });
});

const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });

function problemsOf(schema: string, value: unknown): readonly string[] {
  const definition = fixture.schemas[schema];
  if (definition === undefined) throw new Error(`the last release knows no ${schema}`);
  const validate = ajv.compile(definition);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}

/** A hash whose fields are JSON. */
function recordAt(written: readonly StoredKey[], key: string): Readonly<Record<string, unknown>> {
  const stored = written.find((one) => one.key === key);
  if (stored?.type !== "hash") throw new Error(`no hash at ${key}`);
  return Object.fromEntries(
    Object.entries(stored.value).map(([field, text]): [string, unknown] => [field, JSON.parse(text)]),
  );
}

/** What is JSON of what is there: some keep a version or a time before it. */
function jsonAt(written: readonly StoredKey[], key: string): unknown[] {
  const stored = written.find((one) => one.key === key);
  if (stored === undefined) throw new Error(`nothing at ${key}`);
  const texts = [stored.value].flatMap((value) =>
    typeof value === "string" ? [value] : Array.isArray(value) ? value.flat(2) : Object.values(value),
  );
  return texts.flatMap((text) => {
    const start = text.indexOf("{");
    return start === -1 ? [] : [JSON.parse(text.slice(start))];
  });
}
