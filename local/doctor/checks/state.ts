/** The cache: a written key can be read again, and the server has a kind and version that support the scripts. */
import { VoiceError } from "@voice/shared/platform/errors";
import { openRedisConnections } from "@voice/shared/state/redis/connection";
import { createCacheProbe } from "@voice/shared/state/redis/cache-probe";
import { discoverServer } from "@voice/shared/state/redis/discovery";
import { toCacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { createKeys } from "@voice/shared/state/redis/keys";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";
import { problemOf } from "../problem-of.ts";

export function stateChecks({ settings, parts, identity, clock }: DoctorContext): Check[] {
  if (parts.state.kind === "memory") return [];
  const usesEntra = settings.cacheUsername !== undefined && settings.cachePassword === undefined;
  const advice = usesEntra
    ? "CACHE_USERNAME must be the object id of the identity, and the database needs an access policy assignment for it"
    : "compare CACHE_HOST, CACHE_PORT, CACHE_TLS, CACHE_USERNAME and CACHE_PASSWORD with the server's";
  return [
    {
      name: "Redis",
      advice,
      async run() {
        const words = createLastProblem();
        const endpoint = toCacheEndpoint(settings, identity);
        const connections = await openRedisConnections({ endpoint, clock, logger: words.logger, random: Math.random });
        try {
          const startedAt = clock.now();
          await createCacheProbe(connections, createKeys("doctor"))();
          const tookMs = clock.now() - startedAt;
          const { version, isCluster } = await connections.run(() => facts(connections, endpoint));
          return `Redis ${version}, ${isCluster ? "a cluster" : "one server"}; wrote and read in ${tookMs.toFixed(1)} ms`;
        } catch (error) {
          if (!(error instanceof VoiceError)) throw error;
          const said = words.said() ?? problemOf(error);
          throw new CheckFailure(said, /certificate/i.test(said) ? certificateAdvice : advice);
        } finally {
          await connections.closeAll();
        }
      },
    },
  ];
}

const certificateAdvice =
  "CACHE_HOST must be a name in the server's certificate; where an authority of your own has signed it, " +
  "NODE_EXTRA_CA_CERTS names the file of that authority's certificate, for the apps too";

async function facts(
  connections: Awaited<ReturnType<typeof openRedisConnections>>,
  endpoint: ReturnType<typeof toCacheEndpoint>,
) {
  const redis = connections.create(endpoint);
  try {
    await redis.connect();
    return await discoverServer(redis, endpoint.isCluster);
  } finally {
    connections.close(redis);
  }
}
