import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { mostUnusedDeployments, VoicePools } from "./voice-pools.ts";
import type { ConnectedVoice, VoicePool } from "./voice-pools.ts";
import type { PooledClient } from "./warm-pool.ts";

class FakeClient implements PooledClient {
  readonly endpointId: string | undefined;
  isClosed = false;

  constructor({ endpointId }: ConnectedVoice) {
    this.endpointId = endpointId;
  }

  isUsable(): boolean {
    return !this.isClosed;
  }

  onUnusable(): void {}

  close(): void {
    this.isClosed = true;
  }
}

const signal = new AbortController().signal;
const unreachable = new VoiceError("speech_region_unavailable", "the connection to the speech service failed");

/** Deployments whose id begins with "away" cannot be connected to. */
function setUp() {
  const clients: FakeClient[] = [];
  const pools = new VoicePools<FakeClient>({
    warm: { size: 0, sampleRateHz: 16_000 },
    connect(voice) {
      if (voice.endpointId?.startsWith("away") === true) return Promise.reject(unreachable);
      const client = new FakeClient(voice);
      clients.push(client);
      return Promise.resolve(client);
    },
    maxIdleMs: 90_000,
    retry: { maxAttempts: 0, backoffFactor: 2, jitter: false },
    clock: new VirtualClock(),
    logger: silentLogger,
  });
  const speakOn = ({ pool, upstream }: VoicePool<FakeClient>) =>
    upstream.run(async (attempt) => (await pool.lease(attempt)).release("reuse"), signal);
  const speak = (endpointId?: string) => pools.use({ sampleRateHz: 16_000, endpointId }, speakOn);
  return { pools, clients, speak };
}

describe("connections to custom voices, which clients may name", () => {
  it("are kept for so many deployments that nobody speaks with, and counted when they are gone", async () => {
    const { pools, clients, speak } = setUp();
    const held = Promise.withResolvers<void>();
    const speaking = pools.use({ sampleRateHz: 16_000, endpointId: "in use" }, async ({ pool }) => {
      const lease = await pool.lease(signal);
      await held.promise;
      lease.release("reuse");
    });
    for (let made = 0; made < mostUnusedDeployments + 30; made++) await speak(`made-up-${made}`);
    const open = clients.filter(({ isClosed }) => !isClosed).map(({ endpointId }) => endpointId);
    expect(open).toHaveLength(mostUnusedDeployments + 1);
    expect(open).toContain("in use");
    expect(open).toContain(`made-up-${mostUnusedDeployments + 29}`);
    expect(pools.figures()).toMatchObject({
      warmSize: mostUnusedDeployments,
      activeSessions: 1,
      allocationsTotal: mostUnusedDeployments + 31,
    });
    held.resolve();
    await speaking;
    await pools.close();
    expect(clients.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it("say nothing of the service where there is no such deployment", async () => {
    const { pools, speak } = setUp();
    await expect(speak("away")).rejects.toThrow(unreachable.message);
    expect(pools.figures()).toMatchObject({ ready: true, lastErrorCode: undefined });
  });

  it("hold back nobody else's speech, however often they fail", async () => {
    const { speak } = setUp();
    for (let tries = 0; tries < 6; tries++) await speak(`away-${tries % 2}`).catch(() => undefined);
    for (let tries = 0; tries < 6; tries++) await speak("away").catch(() => undefined);
    await expect(speak("away")).rejects.toThrow("held back");
    await expect(speak("brand")).resolves.toBeUndefined();
    await expect(speak()).resolves.toBeUndefined();
  });
});
