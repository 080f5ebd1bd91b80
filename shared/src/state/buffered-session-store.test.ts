import { describe, expect, it } from "vitest";
import { VoiceError } from "../platform/errors.ts";
import { silentLogger } from "../platform/logger.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";
import { BufferedSessionStore } from "./buffered-session-store.ts";
import { createMemoryState } from "./memory/create-memory-state.ts";
import { newSession, said } from "./ports/session-store.contract.ts";
import type { SessionStore } from "./ports/session-store.ts";

/** `down`: refuses before anything happens. `deaf`: does it, and the answer is lost. */
type Weather = "up" | "down" | "deaf";

function scene(maxWrites?: number) {
  const clock = new VirtualClock();
  /** What stands behind the connection; a test may put an empty one in its place. */
  const server = { sessions: createMemoryState({ clock }).sessions };
  /** `held`: what happens from now on waits for it. */
  const weather: { now: Weather; requests: number; held: Promise<void> | undefined } = {
    now: "up",
    requests: 0,
    held: undefined,
  };
  async function through<T>(operation: () => Promise<T>): Promise<T> {
    weather.requests += 1;
    await weather.held;
    const outage = new VoiceError("cache_connection_failed", "away");
    if (weather.now === "down") throw outage;
    const result = await operation();
    if (weather.now === "deaf") throw outage;
    return result;
  }
  const flaky: SessionStore = {
    create: (session) => through(() => server.sessions.create(session)),
    get: (id) => through(() => server.sessions.get(id)),
    update: (id, version, patch) => through(() => server.sessions.update(id, version, patch)),
    appendTurn: (id, turn) => through(() => server.sessions.appendTurn(id, turn)),
    keepAlive: (sessions) => through(() => server.sessions.keepAlive(sessions)),
    history: (id) => through(() => server.sessions.history(id)),
    metrics: (id) => through(() => server.sessions.metrics(id)),
    list: (page) => through(() => server.sessions.list(page)),
    delete: (id) => through(() => server.sessions.delete(id)),
  };
  const limit = maxWrites === undefined ? {} : { maxWrites };
  const buffered = new BufferedSessionStore({ store: flaky, clock, logger: silentLogger, ...limit });
  const turn = (text: string) => ({ items: [said(text, text, clock.wallNow())], appendId: text });
  const contents = async () => (await server.sessions.history("s-1")).map(({ content }) => content);
  return { clock, inner: server.sessions, server, weather, buffered, turn, contents };
}

describe("buffered session store", () => {
  it("passes everything through while the store is there", async () => {
    const { buffered, clock, contents, turn } = scene();
    const created = await buffered.create(newSession("s-1", clock.wallNow()));
    await buffered.appendTurn("s-1", turn("one"));
    const updated = await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    expect(updated.version).toBe(created.version + 1);
    expect(await contents()).toEqual(["one"]);
    expect(buffered.waitingWrites).toBe(0);
    expect((await buffered.list({ offset: 0, limit: 5 })).total).toBe(1);
  });

  it("[CACHE-5b] begins a session while the store is away, and stores it when that is back", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    weather.now = "down";
    const begun = await buffered.create(newSession("s-1", clock.wallNow()));
    expect(await buffered.history("s-1")).toEqual([]);
    await buffered.appendTurn("s-1", turn("one"));
    const after = await buffered.update("s-1", begun.version, { activeAgent: "fraud" });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await contents()).toEqual(["one"]);
    expect(await inner.get("s-1")).toMatchObject({ activeAgent: "fraud", scenario: "banking" });
    expect(await buffered.update("s-1", after.version, { memory: { more: 1 } })).toMatchObject({ memory: { more: 1 } });
  });

  it("[CACHE-5b] adds a session that begins while the store is away to what the store has of it", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    await inner.create(newSession("s-1", clock.wallNow()));
    await inner.appendTurn("s-1", turn("elsewhere"));
    weather.now = "down";
    await buffered.create({ ...newSession("s-1", clock.wallNow()), hostId: "host-2" });
    await buffered.appendTurn("s-1", turn("here"));
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await contents()).toEqual(["elsewhere", "here"]);
    expect(await inner.get("s-1")).toMatchObject({ hostId: "host-2" });
  });

  it("[CACHE-5a] knows what was said in a session that comes back while the store is away", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    await inner.create(newSession("s-1", clock.wallNow()));
    await inner.appendTurn("s-1", turn("on another host"));
    const heard = async () => (await buffered.history("s-1")).map(({ content }) => content);
    await buffered.get("s-1");
    expect(await heard()).toEqual(["on another host"]);
    await buffered.appendTurn("s-1", turn("here"));
    weather.now = "down";
    expect(await heard()).toEqual(["on another host", "here"]);
    await buffered.appendTurn("s-1", turn("waits"));
    weather.now = "up";
    expect(await heard()).toEqual(["on another host", "here", "waits"]);
    await clock.advanceAsync(1000, 50);
    expect(await heard()).toEqual(["on another host", "here", "waits"]);
  });

  it("refuses a write to a session that does not run here", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    await inner.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await expect(buffered.appendTurn("s-1", turn("x"))).rejects.toMatchObject({ code: "cache_connection_failed" });
    const update = buffered.update("s-1", 1, { activeAgent: "x" });
    await expect(update).rejects.toMatchObject({ code: "cache_connection_failed" });
  });

  it("keeps a running conversation going and replays its writes in order when the store is back", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    let record = await buffered.create(newSession("s-1", clock.wallNow()));
    const { version: first } = record;
    await buffered.appendTurn("s-1", turn("before"));
    weather.now = "down";
    for (const text of ["one", "two", "three"]) {
      await buffered.appendTurn("s-1", turn(text));
      record = await buffered.update("s-1", record.version, { memory: { last: text } });
    }
    expect(record).toMatchObject({ version: first + 3, memory: { last: "three" } });
    expect(await buffered.get("s-1")).toEqual(record);
    await clock.advanceAsync(10_000, 100);
    expect(buffered.waitingWrites).toBe(6);
    expect([buffered.isStored("s-1"), buffered.isStored("s-2")]).toEqual([false, true]);
    weather.now = "up";
    await clock.advanceAsync(6000, 100);
    expect(buffered.waitingWrites).toBe(0);
    expect(buffered.isStored("s-1")).toBe(true);
    expect(await contents()).toEqual(["before", "one", "two", "three"]);
    expect(await inner.get("s-1")).toMatchObject({ memory: { last: "three" } });
  });

  it.each(["one", "two"])("does not double %s whose answer was lost", async (lost) => {
    const { buffered, clock, contents, turn, weather } = scene();
    await buffered.create(newSession("s-1", clock.wallNow()));
    for (const text of ["one", "two", "three"]) {
      weather.now = text === lost ? "deaf" : "up";
      await buffered.appendTurn("s-1", turn(text));
    }
    await clock.advanceAsync(1000, 50);
    expect(await contents()).toEqual(["one", "two", "three"]);
  });

  it("lets the caller go on with its own version after a patch whose answer was lost", async () => {
    const { buffered, clock, inner, weather } = scene();
    const created = await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "deaf";
    const ahead = await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    const after = await buffered.update("s-1", ahead.version, { memory: { done: true } });
    expect(after).toMatchObject({ activeAgent: "fraud", memory: { done: true } });
    expect(await inner.get("s-1")).toEqual(after);
  });

  it("applies a waiting patch over what somebody else has written meanwhile", async () => {
    const { buffered, clock, inner, weather } = scene();
    const created = await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    await inner.update("s-1", created.version, { profileId: "p-1" });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await inner.get("s-1")).toMatchObject({
      activeAgent: "fraud",
      profileId: "p-1",
      version: created.version + 2,
    });
  });

  it("[HS-9] leaves a session to the host that has taken it over meanwhile, and still adds what was said here", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    const begun = await buffered.create({ ...newSession("s-1", clock.wallNow()), hostId: "here" });
    weather.now = "down";
    await buffered.appendTurn("s-1", turn("here"));
    const ended = await buffered.update("s-1", begun.version, { status: "ended", memory: { of: "here" } });
    await inner.update("s-1", begun.version, { status: "active", hostId: "there", memory: { of: "there" } });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    const taken = { status: "active", hostId: "there", memory: { of: "there" } };
    expect(await inner.get("s-1")).toMatchObject(taken);
    expect(await contents()).toEqual(["here"]);
    expect(buffered.waitingWrites).toBe(0);
    // The conversation learns of it with its next write.
    await expect(buffered.update("s-1", ended.version, { activeAgent: "x" })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await buffered.get("s-1")).toMatchObject(taken);
  });

  it("[TAKE-2d] leaves a session to the host that took it last, although it was taken here while the store was away", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    const begun = await buffered.create({ ...newSession("s-1", clock.wallNow()), hostId: "here", claimedAtMs: 10 });
    weather.now = "down";
    await buffered.update("s-1", begun.version, { hostId: "here", claimedAtMs: 20, memory: { of: "here" } });
    await buffered.appendTurn("s-1", { ...turn("here"), claimedAtMs: 20 });
    // By the time the store is back, the other one has it no more.
    await inner.update("s-1", begun.version, { hostId: undefined, claimedAtMs: 30, memory: { of: "there" } });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await inner.get("s-1")).toMatchObject({ claimedAtMs: 30, memory: { of: "there" } });
    expect(await inner.history("s-1")).toMatchObject([{ content: "here", late: true }]);
    expect(buffered.waitingWrites).toBe(0);
  });

  it("[CACHE-5b] takes a session that it began while the store was away from the host that had it before", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    await inner.create({ ...newSession("s-1", clock.wallNow()), hostId: "there", claimedAtMs: 10 });
    weather.now = "down";
    await buffered.create({ ...newSession("s-1", clock.wallNow()), hostId: "here", claimedAtMs: 20 });
    await buffered.appendTurn("s-1", { ...turn("here"), claimedAtMs: 20 });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await inner.get("s-1")).toMatchObject({ hostId: "here", claimedAtMs: 20 });
    expect(await inner.history("s-1")).toEqual(
      turn("here").items.map((item) => ({ ...item, timestampMs: expect.any(Number) })),
    );
  });

  it("rejects a stale version while the store is away, as the store would", async () => {
    const { buffered, clock, weather } = scene();
    const created = await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    const stale = buffered.update("s-1", created.version, { activeAgent: "other" });
    await expect(stale).rejects.toMatchObject({ code: "conflict" });
  });

  it("creates a session again when the store comes back without its data", async () => {
    const { buffered, clock, contents, server, turn, weather } = scene();
    const created = await buffered.create({ ...newSession("s-1", clock.wallNow()), owner: "ann" });
    weather.now = "down";
    await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    await buffered.appendTurn("s-1", turn("after"));
    server.sessions = createMemoryState({ clock }).sessions;
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await server.sessions.get("s-1")).toMatchObject({ activeAgent: "fraud", scenario: "banking" });
    expect(await contents()).toEqual(["after"]);
  });

  it("does not bring back a session that was deleted meanwhile", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await buffered.appendTurn("s-1", turn("after"));
    await inner.delete("s-1");
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await inner.get("s-1")).toBe("expired");
    expect(buffered.waitingWrites).toBe(0);
  });

  it("[ACCESS-20d] brings what waits for a deleted session to nobody who has its id by then", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    const owned = (owner: string) => ({ ...newSession("s-1", clock.wallNow()), owner });
    const hers = await buffered.create(owned("alice"));
    weather.now = "down";
    await buffered.appendTurn("s-1", { ...turn("from alice"), createdAtMs: hers.createdAtMs });
    await buffered.update("s-1", hers.version, { status: "ended" });
    await inner.delete("s-1");
    await clock.advanceAsync(100, 50);
    const his = await inner.create(owned("bob"));
    weather.now = "up";
    await clock.advanceAsync(10_000, 100);
    expect(buffered.waitingWrites).toBe(0);
    expect(await contents()).toEqual([]);
    expect(await inner.get("s-1")).toEqual(his);
  });

  it("[ACCESS-20d] keeps an earlier session of the same id apart from the one that is carried here, also while the store is away", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    const hers = await buffered.create(newSession("s-1", clock.wallNow()));
    await inner.delete("s-1");
    await clock.advanceAsync(100, 50);
    await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    const late = buffered.appendTurn("s-1", { ...turn("from alice"), createdAtMs: hers.createdAtMs });
    await expect(late).rejects.toMatchObject({ code: "session_expired" });
    expect(await buffered.history("s-1")).toEqual([]);
    weather.now = "up";
    await clock.advanceAsync(10_000, 100);
    expect(await contents()).toEqual([]);
  });

  it("[ACCESS-20d] adds a session that begins while the store is away to no session of somebody else", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    const hers = await inner.create({ ...newSession("s-1", clock.wallNow()), owner: "alice" });
    weather.now = "down";
    const his = await buffered.create({ ...newSession("s-1", clock.wallNow()), owner: "bob" });
    await buffered.appendTurn("s-1", { ...turn("from bob"), createdAtMs: his.createdAtMs });
    weather.now = "up";
    await clock.advanceAsync(10_000, 100);
    expect(await inner.get("s-1")).toEqual(hers);
    expect(await contents()).toEqual([]);
  });

  it("refuses further writes when the buffer is full, and keeps the ones it has", async () => {
    const { buffered, clock, contents, turn, weather } = scene(2);
    await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await buffered.appendTurn("s-1", turn("one"));
    await buffered.appendTurn("s-1", turn("two"));
    await expect(buffered.appendTurn("s-1", turn("three"))).rejects.toMatchObject({ code: "cache_connection_failed" });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await contents()).toEqual(["one", "two"]);
  });

  it("forgets the waiting writes of a deleted session, and no others", async () => {
    const { buffered, clock, contents, inner, turn, weather } = scene();
    for (const id of ["s-1", "s-2"]) await buffered.create(newSession(id, clock.wallNow()));
    weather.now = "down";
    for (const id of ["s-1", "s-2", "s-1", "s-2"])
      await buffered.appendTurn(id, turn(`${id} ${buffered.waitingWrites}`));
    weather.now = "up";
    expect(await buffered.delete("s-1")).toBe(true);
    expect(buffered.waitingWrites).toBe(2);
    await clock.advanceAsync(1000, 50);
    expect(buffered.waitingWrites).toBe(0);
    expect(await inner.get("s-1")).toBe("expired");
    expect(await contents()).toEqual([]);
    const kept = await inner.history("s-2");
    expect(kept.map(({ content }) => content)).toEqual(["s-2 1", "s-2 3"]);
    weather.now = "down";
    await expect(buffered.get("s-1")).rejects.toMatchObject({ code: "cache_connection_failed" });
  });

  it("reads what the store has while it is there, and what is known here only while it is away", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    const { version } = await buffered.create(newSession("s-1", clock.wallNow()));
    await inner.update("s-1", version, { activeAgent: "fraud" });
    await inner.appendTurn("s-1", turn("of another process"));
    expect(await buffered.get("s-1")).toMatchObject({ activeAgent: "fraud" });
    expect(await buffered.history("s-1")).toMatchObject([{ content: "of another process" }]);
    weather.now = "down";
    expect(await buffered.get("s-1")).toMatchObject({ activeAgent: "fraud" });
    await expect(buffered.get("s-2")).rejects.toMatchObject({ code: "cache_connection_failed" });
    await expect(buffered.history("s-2")).rejects.toMatchObject({ code: "cache_connection_failed" });
  });

  it("forgets an ended session after two minutes, and none that runs", async () => {
    const { buffered, clock, weather } = scene();
    const { version } = await buffered.create(newSession("s-1", clock.wallNow()));
    await buffered.update("s-1", version, { status: "ended" });
    await buffered.create(newSession("s-2", clock.wallNow()));
    const knownWhileAway = async (): Promise<readonly string[]> => {
      await buffered.create(newSession(`s-${clock.now()}`, clock.wallNow()));
      weather.now = "down";
      const read = await Promise.allSettled(["s-1", "s-2"].map((id) => buffered.get(id)));
      weather.now = "up";
      return read.map(({ status }) => status);
    };
    clock.advance(119_000);
    expect(await knownWhileAway()).toEqual(["fulfilled", "fulfilled"]);
    clock.advance(2000);
    expect(await knownWhileAway()).toEqual(["rejected", "fulfilled"]);
  });

  it("hands over what waits when it closes, and leaves no timer behind", async () => {
    const { buffered, clock, contents, turn, weather } = scene();
    await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    await buffered.appendTurn("s-1", turn("one"));
    weather.now = "up";
    await buffered.close();
    await buffered.close();
    expect(await contents()).toEqual(["one"]);
    expect(clock.pendingTimers).toBe(0);
    await scene().buffered.close();
  });

  it("tries again with one timer, ever more rarely, and not at all once it is closed", async () => {
    const { buffered, clock, turn, weather } = scene();
    await buffered.create(newSession("s-1", clock.wallNow()));
    weather.now = "down";
    for (const text of ["one", "two", "three"]) await buffered.appendTurn("s-1", turn(text));
    expect(clock.pendingTimers).toBe(1);
    const { requests } = weather;
    await clock.advanceAsync(60_000, 100);
    expect(weather.requests - requests).toBeLessThan(25);
    await buffered.close();
    expect([clock.pendingTimers, buffered.waitingWrites]).toEqual([0, 3]);
  });

  describe("while writes wait although the store is back", () => {
    /** "s-1" is carried here, with a turn that waits; "s-2" is in the store, and unknown here. */
    async function waiting() {
      const all = scene();
      const { buffered, clock, inner, turn, weather } = all;
      const record = await buffered.create(newSession("s-1", clock.wallNow()));
      const unknown = await inner.create({ ...newSession("s-2", clock.wallNow()), memory: { of: "s-2" } });
      weather.now = "down";
      const ahead = await buffered.update("s-1", record.version, { activeAgent: "fraud" });
      await buffered.appendTurn("s-1", turn("one"));
      weather.now = "up";
      return { ...all, ahead, unknown };
    }

    it("has what is written next wait behind them, and knows it meanwhile", async () => {
      const { buffered, ahead, clock, contents, inner, turn } = await waiting();
      await buffered.appendTurn("s-1", turn("two"));
      const last = await buffered.update("s-1", ahead.version, { activeAgent: "desk" });
      expect(buffered.waitingWrites).toBe(4);
      expect(await buffered.get("s-1")).toEqual(last);
      await clock.advanceAsync(1000, 50);
      expect(await contents()).toEqual(["one", "two"]);
      expect(await inner.get("s-1")).toMatchObject({ activeAgent: "desk" });
    });

    it("reads and writes the sessions that are not known here as the store has them", async () => {
      const { buffered, inner, turn, unknown } = await waiting();
      expect(await buffered.history("s-2")).toEqual([]);
      await buffered.appendTurn("s-2", turn("of two"));
      const { version } = await buffered.update("s-2", unknown.version, { activeAgent: "desk" });
      expect(await inner.get("s-2")).toMatchObject({ version, activeAgent: "desk" });
      expect((await inner.history("s-2")).map(({ content }) => content)).toEqual(["of two"]);
      const { buffered: other } = await waiting();
      expect(await other.get("s-2")).toMatchObject({ memory: { of: "s-2" } });
    });

    it("loses nothing that is written or deleted while one of them is on its way", async () => {
      const { buffered, ahead, clock, inner, turn, weather } = await waiting();
      const answer = Promise.withResolvers<void>();
      weather.held = answer.promise;
      const replayed = buffered.replay();
      weather.held = undefined;
      const last = await buffered.update("s-1", ahead.version, { activeAgent: "desk" });
      answer.resolve();
      await replayed;
      expect(await buffered.update("s-1", last.version, { memory: { more: 1 } })).toMatchObject({
        activeAgent: "desk",
      });

      await buffered.create(newSession("s-3", clock.wallNow()));
      weather.now = "down";
      for (const id of ["s-3", "s-1"]) await buffered.appendTurn(id, turn(`last of ${id}`));
      weather.now = "up";
      const next = Promise.withResolvers<void>();
      weather.held = next.promise;
      const replayedAgain = buffered.replay();
      weather.held = undefined;
      await buffered.delete("s-3");
      next.resolve();
      await replayedAgain;
      expect((await inner.history("s-1")).map(({ content }) => content)).toEqual(["one", "last of s-1"]);
    });
  });

  it("refuses a session whose id is taken, and lets nothing wait for it", async () => {
    const { buffered, clock } = scene();
    await buffered.create(newSession("s-1", clock.wallNow()));
    await expect(buffered.create(newSession("s-1", clock.wallNow()))).rejects.toMatchObject({ code: "conflict" });
    expect(buffered.waitingWrites).toBe(0);
  });

  it("does not store a session that began while the store was away under the id of a deleted one", async () => {
    const { buffered, clock, inner, turn, weather } = scene();
    await inner.create(newSession("s-1", clock.wallNow()));
    await inner.delete("s-1");
    weather.now = "down";
    await buffered.create(newSession("s-1", clock.wallNow()));
    await buffered.appendTurn("s-1", turn("one"));
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect([await inner.get("s-1"), buffered.waitingWrites]).toEqual(["expired", 0]);
  });

  it("[ACCESS-20d] brings a change that waits to no later session of the same id, be it the store's or one of this process", async () => {
    const { buffered, clock, inner, server, weather } = scene();
    const owned = () => ({ ...newSession("s-1", clock.wallNow()), owner: "alice" });
    const first = await buffered.create(owned());
    weather.now = "down";
    await buffered.update("s-1", first.version, { memory: { of: "the first" } });
    await inner.delete("s-1");
    await clock.advanceAsync(100, 50);
    const second = await inner.create(owned());
    await inner.update("s-1", second.version, { activeAgent: "fraud" });
    weather.now = "up";
    await clock.advanceAsync(10_000, 100);
    expect(await inner.get("s-1")).toMatchObject({ memory: second.memory, activeAgent: "fraud" });

    const known = await buffered.get("s-1");
    if (typeof known === "string") throw new Error(`the session is ${known}`);
    weather.now = "down";
    await buffered.update("s-1", known.version, { memory: { of: "the second" } });
    await clock.advanceAsync(100, 50);
    const third = await buffered.create(owned());
    server.sessions = createMemoryState({ clock }).sessions;
    weather.now = "up";
    await clock.advanceAsync(10_000, 100);
    expect(await server.sessions.get("s-1")).toMatchObject({ createdAtMs: third.createdAtMs, memory: third.memory });
  });

  it.each(["here", undefined])("applies a waiting patch where the store has %s for the host", async (hostId) => {
    const { buffered, clock, inner, weather } = scene();
    const created = await buffered.create({ ...newSession("s-1", clock.wallNow()), hostId: "here" });
    weather.now = "down";
    await buffered.update("s-1", created.version, { activeAgent: "fraud" });
    await inner.update("s-1", created.version, { hostId, profileId: "p-1" });
    weather.now = "up";
    await clock.advanceAsync(1000, 50);
    expect(await inner.get("s-1")).toMatchObject({ activeAgent: "fraud", profileId: "p-1" });
  });
});
