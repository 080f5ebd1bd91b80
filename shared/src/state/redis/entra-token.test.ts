import { describe, expect, it } from "vitest";
import { silentLogger } from "../../platform/logger.ts";
import { VirtualClock } from "../../platform/virtual-clock.ts";
import { renewalDelay, startTokenRotation } from "./entra-token.ts";

const hourMs = 60 * 60_000;

/** A credential that answers with tokens of the given lifetimes, in order; `undefined` stands for a refusal. */
async function rotation(lives: readonly (number | undefined)[]) {
  const clock = new VirtualClock();
  const tokens: string[] = [];
  let requests = 0;
  const rotation = await startTokenRotation({
    clock,
    logger: silentLogger,
    random: () => 0,
    onToken: (token) => tokens.push(token),
    credential: {
      async getToken() {
        requests += 1;
        const life = lives[Math.min(requests, lives.length) - 1];
        if (life === undefined) throw new Error("the identity endpoint is away");
        return { token: `token-${requests}`, expiresOnTimestamp: clock.wallNow() + life };
      },
    },
  });
  return { clock, rotation, tokens, requests: () => requests };
}

describe("token rotation", () => {
  it("has the first token when it resolves", async () => {
    const { tokens } = await rotation([hourMs]);
    expect(tokens).toEqual(["token-1"]);
  });

  it("renews at three quarters of the life, again and again", async () => {
    const { clock, tokens } = await rotation([hourMs]);
    await clock.advanceAsync(0.75 * hourMs - 1, 60_000);
    expect(tokens).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(tokens).toEqual(["token-1", "token-2"]);
    await clock.advanceAsync(0.75 * hourMs, 60_000);
    expect(tokens).toHaveLength(3);
  });

  it("asks again soon after a refusal, the first one included", async () => {
    const { clock, tokens, requests } = await rotation([undefined, undefined, hourMs]);
    expect(tokens).toEqual([]);
    await clock.advanceAsync(10_000, 1000);
    expect(requests()).toBe(3);
    expect(tokens).toEqual(["token-3"]);
  });

  it("asks once when many connections are refused together", async () => {
    const { rotation: tokens, requests } = await rotation([hourMs]);
    await Promise.all([tokens.renew(), tokens.renew(), tokens.renew()]);
    expect(requests()).toBe(2);
  });

  it("leaves no timer behind when it is closed", async () => {
    const { clock, rotation: tokens } = await rotation([hourMs]);
    tokens.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it.each([
    { lifeMs: hourMs, random: 0, delayMs: 0.75 * hourMs },
    { lifeMs: hourMs, random: 1, delayMs: 0.8 * hourMs },
    { lifeMs: 24 * hourMs, random: 1, delayMs: 69_120_000 },
    // The renewal is five minutes before the end if that is earlier than the share of the lifetime.
    { lifeMs: 15 * 60_000, random: 0, delayMs: 10 * 60_000 },
    { lifeMs: 60_000, random: 0, delayMs: 45_000 },
    { lifeMs: -1, random: 0, delayMs: 100 },
  ])("waits $delayMs ms with a life of $lifeMs ms", ({ lifeMs, random, delayMs }) => {
    expect(renewalDelay(lifeMs, random)).toBe(delayMs);
  });
});
