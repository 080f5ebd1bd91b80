/**
 * A consumer's own connection for reading its stream, because a blocking read delays all commands behind it. It
 * connects to the node that serves the stream, and is replaced if that node is lost or another one takes its place.
 */
import type { Redis } from "ioredis";
import { VoiceError } from "../../platform/errors.ts";
import type { RedisConnections } from "./connection.ts";

export class StreamConnection {
  readonly #connections: RedisConnections;
  readonly #stream: string;
  readonly #blockMs: number;
  #unreserve: () => void = () => undefined;
  #redis: Redis | undefined;
  #isReleased = false;

  /** `blockMs`: the longest that a read waits. */
  constructor(connections: RedisConnections, stream: string, blockMs: number) {
    this.#connections = connections;
    this.#stream = stream;
    this.#blockMs = blockMs;
  }

  /** Throws when the process has as many connections as it may. */
  reserve(): void {
    this.#unreserve = this.#connections.reserve();
  }

  async connected(): Promise<Redis> {
    if (this.#redis !== undefined) return this.#redis;
    const address = await this.#connections.servers().nodeOf(this.#stream);
    if (this.#isReleased) throw new VoiceError("cache_connection_failed", "this connection was released");
    const redis = this.#connections.create(address, { blockMs: this.#blockMs });
    this.#redis = redis;
    await redis.connect();
    return redis;
  }

  /** Makes the next read determine again which node serves the stream. */
  drop(): void {
    if (this.#redis !== undefined) this.#connections.close(this.#redis);
    this.#redis = undefined;
  }

  /** Closes permanently. */
  release(): void {
    this.#isReleased = true;
    this.#unreserve();
    this.drop();
  }
}
