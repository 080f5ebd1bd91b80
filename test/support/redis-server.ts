/** A real redis-server of the test's own: free port, empty folder, gone when the test is over. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./free-port.ts";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";

export interface RedisServer {
  readonly port: number;
  readonly folder: string;
  /** By which the nodes of a cluster talk to each other. */
  readonly busPort: number;
  /** Whether it runs and is not frozen. */
  isUp(): boolean;
  /** For a client of the product, without TLS and without a password. */
  readonly endpoint: CacheEndpoint;
  /** A client of the test itself, to look at the server from outside. */
  admin(): Redis;
  /** Freezes the process: connections stay open and nothing answers. The result thaws it. */
  freeze(): () => void;
  /** Kills the process, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same folder. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  /** Further command line arguments, `--name value …`. */
  readonly args?: readonly string[];
  readonly busPort?: number;
  /** For the readiness check and `admin()`, when the server asks for more than a connection. */
  readonly client?: {
    readonly password?: string;
    readonly tls?: { readonly ca: string; readonly servername?: string };
  };
}

export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "voice-redis-"));
  const { args = [], client = {} } = options;
  let running: ChildProcess | undefined;
  let isFrozen = false;
  const admins = new Set<Redis>();

  function admin(): Redis {
    const redis = new Redis({ host: "127.0.0.1", port, ...client, lazyConnect: true, maxRetriesPerRequest: 3 });
    redis.on("error", () => undefined);
    admins.add(redis);
    return redis;
  }

  async function start(): Promise<void> {
    const standard = ["--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--appendfsync", "always"];
    const ports = client.tls === undefined ? ["--port", String(port)] : ["--port", "0", "--tls-port", String(port)];
    running = spawn("redis-server", [...ports, ...standard, ...args], { stdio: "ignore" });
    await answering(running, port, client);
  }

  async function kill(): Promise<void> {
    const process = running;
    running = undefined;
    if (process === undefined || process.exitCode !== null) return;
    const exited = once(process, "exit");
    process.kill("SIGKILL");
    await exited;
  }

  async function stop(): Promise<void> {
    for (const redis of admins) redis.disconnect();
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port,
    folder,
    busPort: options.busPort ?? 0,
    isUp: () => running !== undefined && !isFrozen,
    endpoint: {
      host: "127.0.0.1",
      port,
      tls: undefined,
      authentication: { type: "none" },
      connectionTimeoutMs: 2000,
      operationTimeoutMs: 2000,
      maxConnections: 20,
    },
    admin,
    freeze() {
      const frozen = running;
      frozen?.kill("SIGSTOP");
      isFrozen = true;
      return () => {
        frozen?.kill("SIGCONT");
        isFrozen = false;
      };
    },
    kill,
    start,
    stop,
  };
}

/** Six with TLS at once take seconds on a busy machine. One that has ended is not waited for. */
const mostAttempts = 1500;
const attemptEveryMs = 20;

/** Polls until the server answers a PING as the given client. */
async function answering(
  server: ChildProcess,
  port: number,
  client: NonNullable<RedisServerOptions["client"]>,
): Promise<void> {
  const redis = new Redis({
    host: "127.0.0.1",
    port,
    ...client,
    maxRetriesPerRequest: mostAttempts,
    retryStrategy: () => attemptEveryMs,
  });
  redis.on("error", () => undefined);
  const answered = new AbortController();
  const ended = once(server, "exit", { signal: answered.signal }).then(([code]) => {
    throw new Error(`redis-server on port ${port} ended with ${code} before it answered`);
  });
  try {
    await Promise.race([redis.ping(), ended]);
  } finally {
    answered.abort();
    redis.disconnect();
  }
}
