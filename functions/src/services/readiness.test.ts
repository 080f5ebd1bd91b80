import { VoiceError, explainedError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { checkReadiness, Unhealthy, type ReadinessCheck } from "./readiness.ts";

function check(component: string, isCritical: boolean, run: ReadinessCheck["run"]): ReadinessCheck {
  return { component, isCritical, timeoutMs: 1000, run };
}

const fine = (): Promise<string> => Promise.resolve("fine");
const broken = (): Promise<string> => Promise.reject(new Unhealthy("out of order"));

describe("readiness", () => {
  it("is ready when every check passes", async () => {
    const readiness = await checkReadiness([check("a", true, fine), check("b", false, fine)], new VirtualClock());
    expect(readiness.status).toBe("ready");
    expect(readiness.checks[0]).toMatchObject({ component: "a", status: "healthy", details: "fine", error: null });
  });

  it("is not ready when a critical check fails, and degraded when another one does", async () => {
    const clock = new VirtualClock();
    const notReady = await checkReadiness([check("a", true, broken), check("b", false, fine)], clock);
    expect(notReady.status).toBe("not_ready");
    expect(notReady.checks[0]).toMatchObject({ status: "unhealthy", details: null, error: "out of order" });
    const degraded = await checkReadiness([check("a", true, fine), check("b", false, broken)], clock);
    expect(degraded.status).toBe("degraded");
  });

  it("runs the checks side by side and gives up on a slow one", async () => {
    const clock = new VirtualClock();
    const never = (): Promise<string> => new Promise(() => undefined);
    const running = checkReadiness([check("slow", true, never), check("slower", false, never)], clock);
    await clock.advanceAsync(1000, 100);
    const readiness = await running;
    expect(readiness.response_time_ms).toBe(1000);
    expect(readiness.checks.map((result) => result.error)).toEqual([
      "no answer within 1000 ms",
      "no answer within 1000 ms",
    ]);
  });

  it("does not blame what hosts report in the store while the store is away", async () => {
    const away = (): Promise<string> => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    const checks = [check("cache", true, away), { ...check("language_model", true, away), isFromStore: true }];
    const readiness = await checkReadiness(checks, new VirtualClock());
    expect(readiness.checks.map((result) => result.error)).toEqual([
      "the state store is unreachable",
      "not known, because the state store, where hosts report it, does not answer",
    ]);
  });

  it("tells a store that answers and refuses from one that cannot be reached", async () => {
    const full = (): Promise<string> =>
      Promise.reject(explainedError("cache_connection_failed", "the cache answers and refuses: OOM"));
    const readiness = await checkReadiness([check("cache", true, full)], new VirtualClock());
    expect(readiness.checks[0]?.error).toBe("the cache answers and refuses: OOM");
  });

  it("does not repeat what an unexpected exception said", async () => {
    const secret = (): Promise<string> => Promise.reject(new Error("password=hunter2"));
    const readiness = await checkReadiness([check("a", true, secret)], new VirtualClock());
    expect(JSON.stringify(readiness)).not.toContain("hunter2");
  });
});
