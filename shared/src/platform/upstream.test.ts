import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpstreamAccessError, VoiceError } from "./errors.ts";
import { silentLogger } from "./logger.ts";
import { createUpstream } from "./upstream.ts";

const retry = { maxAttempts: 2, backoffFactor: 2, jitter: false };
const neverAborted = new AbortController().signal;
const unavailable = (options = {}) => new VoiceError("upstream_unavailable", "down", options);

function create(settings = retry) {
  return createUpstream({ name: "test", retry: settings, logger: silentLogger });
}

/** Lets the policy's timers run, and reports how the call ended. */
async function settle<T>(call: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  const ended = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return await ended;
}

// The policy library cannot be given our clock, so these tests replace the global timers.
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("an upstream", () => {
  it("repeats a retryable failure as often as it may", async () => {
    const attempt = vi.fn<() => Promise<string>>(() => Promise.reject(unavailable()));
    expect(await settle(create().run(attempt, neverAborted))).toMatchObject({
      error: { code: "upstream_unavailable" },
    });
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it("does not repeat what will fail again", async () => {
    const attempt = vi.fn<() => Promise<string>>(() => Promise.reject(unavailable({ retryable: false })));
    await settle(create().run(attempt, neverAborted));
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("waits longer before each attempt", async () => {
    const startedAt = Date.now();
    const times: number[] = [];
    const attempt = () => {
      times.push(Date.now() - startedAt);
      return Promise.reject(unavailable());
    };
    await settle(create().run(attempt, neverAborted));
    expect(times).toEqual([0, 100, 300]);
  });

  it("waits as long as it was asked to, and gives up when that is too long", async () => {
    const startedAt = Date.now();
    const times: number[] = [];
    const asked = [500, 60_000];
    const attempt = () => {
      times.push(Date.now() - startedAt);
      return Promise.reject(unavailable({ retryAfterMs: asked[times.length - 1] }));
    };
    await settle(create().run(attempt, neverAborted));
    expect(times).toEqual([0, 500]);
  });

  it("rejects with the reason as soon as it is aborted between two attempts", async () => {
    const abort = new AbortController();
    const attempt = vi.fn<() => Promise<string>>(() => Promise.reject(unavailable({ retryAfterMs: 1_000 })));
    const call = create().run(attempt, abort.signal);
    const reason = new DOMException("barge-in", "AbortError");
    const ended = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    abort.abort(reason);
    expect(await ended).toBe(reason);
    await vi.runAllTimersAsync();
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("hands over what comes too late, so that nothing stays open", async () => {
    const abort = new AbortController();
    const discarded: string[] = [];
    const call = create().run(
      () => Promise.resolve("socket"),
      abort.signal,
      (value) => discarded.push(value),
    );
    abort.abort();
    expect(await settle(call)).toEqual({ error: abort.signal.reason });
    expect(discarded).toEqual(["socket"]);
  });

  it("says of a call that it holds back what the failures before it said", async () => {
    const upstream = create({ ...retry, maxAttempts: 4 });
    const outOfQuota = new VoiceError("speech_quota_exceeded", "too much to do", { reason: "the quota is used up" });
    await settle(upstream.run(() => Promise.reject(outOfQuota), neverAborted));
    expect(await settle(upstream.run(() => Promise.resolve("answer"), neverAborted))).toMatchObject({
      error: { code: "speech_quota_exceeded", reason: "the quota is used up", retryAfterMs: 10_000 },
    });
  });

  it("holds calls back after five failures in a row and probes with one of them later", async () => {
    const upstream = create({ ...retry, maxAttempts: 4 });
    await settle(upstream.run(() => Promise.reject(unavailable()), neverAborted));
    expect(upstream.health()).toEqual({ status: "down", lastErrorCode: "upstream_unavailable" });

    const heldBack = vi.fn<() => Promise<string>>(() => Promise.resolve("answer"));
    expect(await settle(upstream.run(heldBack, neverAborted))).toMatchObject({ error: { retryAfterMs: 10_000 } });
    expect(heldBack).not.toHaveBeenCalled();

    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settle(upstream.run(heldBack, neverAborted))).toEqual({ value: "answer" });
    expect(upstream.health().status).toBe("healthy");
  });

  it("is down for those who look at it after a call of which all attempts failed, until it answers, and unknown after half a minute", async () => {
    const upstream = create();
    const fail = () => settle(upstream.run(() => Promise.reject(unavailable()), neverAborted));
    await fail();
    expect(upstream.health()).toEqual({ status: "down", lastErrorCode: "upstream_unavailable" });
    expect(await settle(upstream.run(() => Promise.resolve("answer"), neverAborted))).toEqual({ value: "answer" });
    expect(upstream.health().status).toBe("healthy");
    await fail();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(upstream.health().status).toBe("unknown");
  });

  it("is unknown before it has answered anything, and once its last answer is five minutes old", async () => {
    const upstream = create();
    expect(upstream.health()).toEqual({ status: "unknown", lastErrorCode: undefined });
    await settle(upstream.run(() => Promise.resolve("answer"), neverAborted));
    await vi.advanceTimersByTimeAsync(299_999);
    expect(upstream.health().status).toBe("healthy");
    await vi.advanceTimersByTimeAsync(1);
    expect(upstream.health().status).toBe("unknown");
  });

  it("lets nobody else wait for the probe", async () => {
    const upstream = create({ ...retry, maxAttempts: 4 });
    await settle(upstream.run(() => Promise.reject(unavailable()), neverAborted));
    await vi.advanceTimersByTimeAsync(10_000);
    let answerProbe = (_answer: string): void => {};
    const probe = new Promise<string>((resolve) => {
      answerProbe = resolve;
    });
    const probing = upstream.run(() => probe, neverAborted);
    expect(await settle(upstream.run(() => Promise.resolve("late"), neverAborted))).toMatchObject({
      error: { code: "upstream_unavailable" },
    });
    answerProbe("answer");
    await expect(probing).resolves.toBe("answer");
  });

  it("does not count the caller's mistakes against the service", async () => {
    const upstream = create();
    for (let call = 0; call < 6; call++) {
      await settle(upstream.run(() => Promise.reject(unavailable({ retryable: false })), neverAborted));
    }
    expect(upstream.health().status).toBe("healthy");
  });

  it("says that it is down while the service refuses who we are, and goes on asking", async () => {
    const upstream = createUpstream({
      name: "test",
      retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
      logger: silentLogger,
    });
    const { signal } = new AbortController();
    await expect(upstream.run(() => Promise.reject(new UpstreamAccessError("401")), signal)).rejects.toThrow("401");
    expect(upstream.health()).toEqual({ status: "down", lastErrorCode: "upstream_unavailable" });
    await upstream.run(async () => "yes", signal);
    expect(upstream.health().status).toBe("healthy");
  });
});
