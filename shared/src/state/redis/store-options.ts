/** The options that all stores in Redis share. */
import type { Clock } from "../../platform/clock.ts";
import type { LifeSpans } from "../life-spans.ts";
import type { RedisConnections } from "./connection.ts";
import type { Keys } from "./keys.ts";

export interface RedisStoreOptions {
  readonly connections: RedisConnections;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly lifeSpans: LifeSpans;
}
