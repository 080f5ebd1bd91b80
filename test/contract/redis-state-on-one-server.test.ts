import { startRedisServer } from "../support/redis-server.ts";
import { describeRedisState } from "./redis-state.contract.ts";

describeRedisState("on one server", async () => {
  const server = await startRedisServer();
  return { endpoint: server.endpoint, holders: [server], stop: () => server.stop() };
});
