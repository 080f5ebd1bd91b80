import { startRedisCluster } from "../support/redis-cluster.ts";
import { describeRedisState } from "./redis-state.contract.ts";

describeRedisState("on a cluster of three primaries", async () => {
  const cluster = await startRedisCluster();
  return { endpoint: cluster.endpoint, holders: cluster.primaries, stop: () => cluster.stop() };
});
