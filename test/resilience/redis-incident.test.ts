/**
 * An incident of a real Redis that answers and does not do its work: its memory is full, it was demoted to a replica, or it is slow. Callers
 * who talk notice nothing and lose nothing, and the number by which hosts are scaled never says that there are fewer of them.
 */
import type { Redis } from "ioredis";
import { describe, it } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { heartbeatTtlMs } from "@voice/shared/state/ports/host-registry";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { z } from "zod";
import { startApi } from "../integration/http/api-harness.ts";
import { connectBrowser, knock } from "../support/browser-client.ts";
import { freePort } from "../support/free-port.ts";
import { isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually, sleep } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };
const health = z.object({ active_sessions: z.number().nullable() });
const conversations = 3;
/** After this the host's heartbeat has expired, unless it was renewed. */
const incidentMs = heartbeatTtlMs + 5000;

interface Incident {
  readonly what: string;
  /** Whether the store refuses what is written. */
  readonly refuses: boolean;
  begin(admin: Redis): Promise<unknown>;
  /** Called twice a second. */
  keepUp?(admin: Redis): void;
  end(admin: Redis): Promise<unknown>;
}

const incidents: readonly Incident[] = [
  {
    what: "its memory is full",
    refuses: true,
    begin: (admin) => admin.config("SET", "maxmemory", "1000000"),
    end: (admin) => admin.config("SET", "maxmemory", "0"),
  },
  {
    what: "its primary was demoted",
    refuses: true,
    begin: async (admin) => admin.replicaof("127.0.0.1", await freePort()),
    end: (admin) => admin.replicaof("NO", "ONE"),
  },
  {
    what: "it answers a second late",
    refuses: false,
    begin: async () => undefined,
    keepUp: (admin) => void admin.client("PAUSE", 1000, "ALL").catch(() => undefined),
    end: (admin) => admin.client("UNPAUSE"),
  },
];

/** One after the other: on a busy machine one process cannot hold the conversations of three, and then knows no numbers in time. */
describe.skipIf(!isRedisAvailable())("an incident of Redis", () => {
  async function started(cleanups: AsyncDisposableStack) {
    const server = await startRedisServer();
    cleanups.defer(() => server.stop());
    const state = await openRedisState(server.endpoint, parts);
    const api = await startApi({}, { state });
    cleanups.defer(() => api.close());
    const ofHost = await openRedisState(server.endpoint, parts);
    cleanups.defer(() => ofHost.close());
    const host = await startTestHost({ state: ofHost, clock: systemClock });
    cleanups.defer(() => host.close());
    return { server, state, api, url: host.url("/api/v1/browser/conversation") };
  }

  it.for(incidents)(
    "[OPS-33] loses nothing, and takes no host away: $what",
    async ({ refuses, begin, keepUp, end }, { expect }) => {
      await using cleanups = new AsyncDisposableStack();
      const { server, state, api, url } = await started(cleanups);
      const admin = server.admin();
      const browsers = await Promise.all(Array.from({ length: conversations }, () => connectBrowser(url)));
      for (const browser of browsers) cleanups.defer(() => browser.close());
      const active = async (): Promise<number | null> =>
        health.parse((await api.call("GET", "/api/v1/health")).body).active_sessions;
      await eventually(async () => (await active()) === conversations, "the conversations are counted");
      for (const browser of browsers) expect(await browser.ask("before")).toBe("You said before.");

      await begin(admin);
      const began = performance.now();
      const counted = new Set<number | null>();
      let turns = 0;
      while (performance.now() - began < incidentMs) {
        keepUp?.(admin);
        counted.add(await active());
        for (const browser of browsers) expect(await browser.ask(`word ${turns}`)).toBe(`You said word ${turns}.`);
        turns += 1;
        await sleep(500);
      }
      // Container Apps keeps its replicas where the number is missing. Any number below the true one would take hosts away.
      expect([...counted].filter((count) => count !== null && count < conversations)).toEqual([]);
      if (refuses) {
        expect(counted).toContain(null);
        expect(await knock(url)).toMatchObject({ status: 503, type: "cache_connection_failed" });
      }

      await end(admin);
      await eventually(async () => (await active()) === conversations, "the conversations are counted again");
      await eventually(async () => (await knock(url)) === 101, "a new conversation is let in");
      const words = ["before", ...Array.from({ length: turns }, (_, turn) => `word ${turn}`)];
      for (const browser of browsers) {
        const stored = async (): Promise<string[]> =>
          (await state.sessions.history(browser.sessionId)).flatMap(({ role, content }) =>
            role === "user" ? [content] : [],
          );
        await eventually(async () => (await stored()).length === words.length, "every turn is stored");
        expect(await stored()).toEqual(words);
      }
    },
  );
});
