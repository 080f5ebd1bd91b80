/** The service as it is deployed, made of processes, with a network between its parts that can be broken. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { noFillers } from "../support/no-fillers.ts";
import { startClerkFleet } from "../support/clerk-fleet.ts";
import type { ClerkFleet } from "../support/clerk-fleet.ts";
import type { Packages } from "../support/made-packages.ts";
import { startRedisCluster } from "../support/redis-cluster.ts";
import type { RedisCluster } from "../support/redis-cluster.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import type { TcpBalancer } from "../support/tcp-balancer.ts";
import { startEmulatedCloud } from "./emulated-cloud.ts";
import type { EmulatedCloud } from "./emulated-cloud.ts";

/** Scenarios that need the same kind share one. */
export type FleetKind = "one Redis" | "a cluster" | "few places";

export interface ChaosFleet extends ClerkFleet {
  readonly cloud: EmulatedCloud;
  /** Between the processes and their one Redis; a cluster names its own addresses, so that nothing can stand between. */
  readonly wayToRedis: TcpBalancer | undefined;
  readonly cluster: RedisCluster | undefined;
}

/** Longer than tokens may differ in time, and shorter than anything lives that is kept. */
const clockJumpMs = 15 * 60_000;

export async function startChaosFleet(kind: FleetKind, packages: Packages): Promise<ChaosFleet> {
  await using parts = new AsyncDisposableStack();
  const cloud = await startEmulatedCloud();
  parts.defer(() => cloud.close());
  const recordings = mkdtempSync(join(tmpdir(), "voice-chaos-"));
  parts.defer(() => rmSync(recordings, { recursive: true, force: true }));
  const cluster = kind === "a cluster" ? await startRedisCluster() : undefined;
  if (cluster !== undefined) parts.defer(() => cluster.stop());
  const redis = cluster?.primaries[0] ?? (await startRedisServer());
  if (cluster === undefined) parts.defer(() => redis.stop());
  const wayToRedis = cluster === undefined ? await startTcpBalancer([redis.port]) : undefined;
  if (wayToRedis !== undefined) parts.defer(() => wayToRedis.close());
  const clerk = await startClerkFleet({
    hosts: 2,
    packages,
    cache: { redis, port: wayToRedis?.port ?? redis.port },
    localSpeech: async () => cloud.engines,
    environment: {
      ...cloud.settings,
      // What is heard first after a caller's words is the answer.
      ...noFillers,
      ...(kind === "few places" ? { MAX_SESSIONS: "2" } : {}),
      // Every call is recorded, so that what becomes of recordings never disturbs one.
      RECORDING_ENABLED: "true",
      RECORDING_DIR: recordings,
      CACHE_OPERATION_TIMEOUT: "2",
      CHAOS_CLOCK_JUMP_MS: `${clockJumpMs}`,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "shifted-clock.ts")).href}`,
    },
  });
  parts.defer(() => clerk.close());
  const running = parts.move();
  return { ...clerk, cloud, wayToRedis, cluster, close: () => running.disposeAsync() };
}
