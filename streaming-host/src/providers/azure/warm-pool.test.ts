import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { describe, expect, it } from "vitest";
import { RecordedLog } from "../../testing/recorded-log.ts";
import { WarmPool } from "./warm-pool.ts";
import type { PooledClient, WarmPoolOptions } from "./warm-pool.ts";

class FakeClient implements PooledClient {
  closed = false;
  #listener: () => void = () => {};
  isUsable(): boolean {
    return !this.closed;
  }
  onUnusable(listener: () => void): void {
    this.#listener = listener;
  }
  close(): void {
    this.closed = true;
  }
  die(): void {
    this.closed = true;
    this.#listener();
  }
}

const neverAborted = new AbortController().signal;
/** Lets connections that were begun end. */
const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function setUp(options: Partial<WarmPoolOptions<FakeClient>> = {}) {
  const clock = new VirtualClock();
  const clients: FakeClient[] = [];
  const failures: VoiceError[] = [];
  const connect = async (): Promise<FakeClient> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const client = new FakeClient();
    clients.push(client);
    return client;
  };
  const pool = new WarmPool({
    name: "test",
    target: 2,
    isRecycled: false,
    connect,
    maxIdleMs: 1_000,
    clock,
    logger: silentLogger,
    ...options,
  });
  return { pool, clock, clients, failures };
}

describe("a warm pool", () => {
  it("is not to blame for a client that the service refuses as it was asked for, such as in a language that it lacks", async () => {
    const { pool } = setUp({ target: 0 });
    const lease = (failure: VoiceError) => pool.leaseUnlike(() => Promise.reject(failure), neverAborted);
    const refused = new VoiceError("speech_region_unavailable", "refused (400)", { retryable: false });
    await expect(lease(refused)).rejects.toBe(refused);
    expect(pool.figures().lastErrorCode).toBeUndefined();
    for (const error of [new VoiceError("speech_region_unavailable", "503"), new UpstreamAccessError("401")]) {
      await expect(lease(error)).rejects.toBe(error);
      expect(pool.figures().lastErrorCode).toBe(error.code);
    }
  });

  it("fills to its target and refills what is taken", async () => {
    const { pool, clients } = setUp();
    await settle();
    expect(pool.figures()).toMatchObject({ ready: true, warmSize: 2, warmupCycles: 1 });
    await pool.lease(neverAborted);
    await settle();
    expect(clients).toHaveLength(3);
    expect(pool.figures()).toMatchObject({ warmSize: 2, activeSessions: 1, allocationsWarm: 1 });
  });

  it("[FAIL-8c] says which clients were kept, and replaces those that may have died without a sign", async () => {
    const { pool, clients } = setUp();
    await settle();
    const lease = await pool.lease(neverAborted);
    expect(lease.wasKept).toBe(true);
    pool.replaceIdle();
    expect(clients.map(({ closed }) => closed)).toEqual([false, true, false]);
    expect((await pool.lease(neverAborted)).wasKept).toBe(false);
    await settle();
    expect(pool.figures()).toMatchObject({ warmSize: 2 });
  });

  it("connects on the spot when nothing is warm", async () => {
    const { pool } = setUp({ target: 0 });
    await pool.lease(neverAborted);
    expect(pool.figures()).toMatchObject({ ready: true, activeSessions: 1, allocationsCold: 1, allocationsWarm: 0 });
  });

  it("discards a single-use client whatever its user says", async () => {
    const { pool, clients } = setUp();
    await settle();
    const lease = await pool.lease(neverAborted);
    lease.release("reuse");
    lease.release("reuse");
    expect(lease.client.closed).toBe(true);
    expect(pool.figures().activeSessions).toBe(0);
    await settle();
    expect(clients.filter(({ closed }) => !closed)).toHaveLength(2);
  });

  it("keeps recycled clients and makes no more than are needed", async () => {
    const { pool, clients } = setUp({ isRecycled: true });
    await settle();
    for (let round = 0; round < 5; round++) {
      const lease = await pool.lease(neverAborted);
      await settle();
      lease.release("reuse");
    }
    expect(clients).toHaveLength(2);
    const busy = await Promise.all([1, 2, 3].map(() => pool.lease(neverAborted)));
    for (const lease of busy) lease.release("reuse");
    expect(pool.figures()).toMatchObject({ warmSize: 3, activeSessions: 0, allocationsTotal: 8, allocationsCold: 1 });
  });

  it("never hands out a client that died", async () => {
    const { pool, clients } = setUp({ target: 1 });
    await settle();
    clients[0]?.die();
    await settle();
    expect((await pool.lease(neverAborted)).client).toBe(clients[1]);
  });

  it("replaces clients that idled too long", async () => {
    const { pool, clock, clients } = setUp({ target: 1 });
    await settle();
    clock.advance(1_000);
    await settle();
    expect(clients.map(({ closed }) => closed)).toEqual([true, false]);
    expect(pool.figures().warmSize).toBe(1);
  });

  it("tries again later, and later still, when the service refuses", async () => {
    const { pool, clock, failures } = setUp({
      target: 1,
      connect: () => Promise.reject(new VoiceError("speech_quota_exceeded", "429")),
    });
    expect(failures).toEqual([]);
    await settle();
    expect(pool.figures()).toMatchObject({ ready: false, warmupFailures: 1 });
    await clock.advanceAsync(1_000, 100);
    expect(pool.figures().warmupFailures).toBe(2);
    await clock.advanceAsync(1_000, 100);
    expect(pool.figures().warmupFailures).toBe(2);
    await clock.advanceAsync(1_000, 100);
    expect(pool.figures().warmupFailures).toBe(3);
    await pool.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it("is ready again once a refusal has passed", async () => {
    const { pool, clock, failures, clients } = setUp({ target: 1 });
    await settle();
    failures.push(new VoiceError("speech_region_unavailable", "503"));
    clients[0]?.die();
    await settle();
    expect(pool.figures()).toMatchObject({ ready: false, warmSize: 0 });
    await clock.advanceAsync(1_000, 100);
    expect(pool.figures()).toMatchObject({ ready: true, warmSize: 1 });
  });

  it("closes everything, also what is out, and refuses further leases", async () => {
    const { pool, clock, clients } = setUp();
    await settle();
    await pool.lease(neverAborted);
    await pool.close();
    expect(clients.every(({ closed }) => closed)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
    await expect(pool.lease(neverAborted)).rejects.toMatchObject({ code: "upstream_unavailable", retryable: false });
  });

  it("stops warming up when it is closed, however willing the service is", async () => {
    const { pool, clients } = setUp({ target: 3 });
    await pool.close();
    expect(clients.length).toBeLessThan(3);
    expect(clients.every(({ closed }) => closed)).toBe(true);
  });

  it("says why it has no client until it has one again", async () => {
    const { pool, failures } = setUp({ target: 0 });
    failures.push(new VoiceError("speech_quota_exceeded", "too many", { reason: "refused with 429" }));
    await expect(pool.lease(neverAborted)).rejects.toThrow("too many");
    expect(pool.figures()).toMatchObject({ lastErrorCode: "speech_quota_exceeded", lastReason: "refused with 429" });
    await pool.lease(neverAborted);
    expect(pool.figures()).toMatchObject({ lastErrorCode: undefined, lastReason: undefined });
  });

  it("logs the failure that keeps it empty, when it has another cause, and when it is over, but not each attempt", async () => {
    const logger = new RecordedLog();
    const { clock, failures, clients, pool } = setUp({ target: 1, logger });
    await settle();
    const refused = new UpstreamAccessError("refused with 401", "refused with 401");
    const hung = new VoiceError("upstream_timeout", "no connection");
    failures.push(refused, refused, hung, refused);
    clients[0]?.die();
    await clock.advanceAsync(60_000, 100);
    expect(
      logger.lines.map(({ level, fields: { pool: name, error, failures: count } }) => [level, name, error, count]),
    ).toEqual([
      ["warn", "test", refused, undefined],
      ["warn", "test", hung, undefined],
      ["info", "test", undefined, 4],
    ]);
    await pool.close();
  });
});
