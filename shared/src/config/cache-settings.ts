/** The shared state: Redis. */
import { flag, hostName, integer, seconds, text } from "./kinds.ts";
import { defaulted, optional, secret } from "./setting.ts";

export const cacheSettings = {
  cacheHost: optional(
    "CACHE_HOST",
    hostName,
    "Host of the Redis server. If not set, state is kept in the memory of one process.",
  ),
  cachePort: defaulted("CACHE_PORT", integer(1, 65_535), "6379", "Its port; 10000 for Azure Managed Redis."),
  cacheUsername: optional(
    "CACHE_USERNAME",
    text,
    "ACL user. With Entra, the object id of the identity; without CACHE_PASSWORD, Entra tokens are the password.",
  ),
  cachePassword: secret("CACHE_PASSWORD", text, "Password of the ACL user."),
  cacheTls: optional("CACHE_TLS", flag, "Whether to use TLS; by default for every host but loopback addresses."),
  cacheCluster: optional(
    "CACHE_CLUSTER",
    flag,
    "Whether the server is a Redis Cluster (of Azure Managed Redis: the OSS policy); by default, what the server says.",
  ),
  cacheMaxConnections: defaulted(
    "CACHE_MAX_CONNECTIONS",
    integer(2, 1000),
    "20",
    "Most connections one process opens to one node: one for commands, the rest for subscriptions.",
  ),
  cacheConnectionTimeoutMs: defaulted(
    "CACHE_CONNECTION_TIMEOUT",
    seconds(0.1, 60),
    "5",
    "Longest wait for a connection.",
  ),
  cacheOperationTimeoutMs: defaulted("CACHE_OPERATION_TIMEOUT", seconds(0.05, 60), "5", "Longest wait for an answer."),
};
