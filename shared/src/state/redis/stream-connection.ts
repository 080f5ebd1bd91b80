/**
 * A consumer's own connection for reading its stream, because a blocking read delays all commands behind it. It
 * connects to the node that serves the stream, and is replaced if that node is lost or another one takes its place.
 */
import type { Redis } from "ioredis";
import { VoiceError } from "../../platform/errors.ts";
import type { RedisConnections } from "./connection.ts";

/** `blockMs`: the longest that a read waits. */
export function createStreamConnection(connections: RedisConnections, stream: string, blockMs: number) {
  let unreserve: () => void = () => undefined;
  let redis: Redis | undefined;
  let isReleased = false;
  /** Makes the next read determine again which node serves the stream. */
  const drop = (): void => {
    if (redis !== undefined) connections.close(redis);
    redis = undefined;
  };
  return {
    drop,
    /** Throws when the process has as many connections as it may. */
    reserve(): void {
      unreserve = connections.reserve();
    },
    async connected(): Promise<Redis> {
      if (redis !== undefined) return redis;
      const address = await connections.servers().nodeOf(stream);
      if (isReleased) throw new VoiceError("cache_connection_failed", "this connection was released");
      const opened = connections.create(address, { blockMs });
      redis = opened;
      await opened.connect();
      return opened;
    },
    /** Closes permanently. */
    release(): void {
      isReleased = true;
      unreserve();
      drop();
    },
  };
}
