/** A cluster changes its shape, its passwords and its moods while conversations run on it. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { callEventTypes } from "@voice/shared/contracts/events/call-event";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { everyHandler, termination } from "@voice/shared/state/ports/event-bus.contract";
import { newSession, said } from "@voice/shared/state/ports/session-store.contract";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { createKeys, defaultKeyPrefix } from "@voice/shared/state/redis/keys";
import { keySlot } from "@voice/shared/state/redis/key-slot";
import { createCertificates } from "../support/certificates.ts";
import { startRedisCluster, type RedisCluster } from "../support/redis-cluster.ts";
import { isOpensslAvailable, isRedisAvailable } from "../support/installed-programs.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { createTokenIssuer } from "../support/token-issuer.ts";
import { connectBrowser } from "../support/browser-client.ts";
import { startTestHost } from "../support/test-host.ts";
import { eventually, sleep } from "../support/wait.ts";

const parts = { clock: systemClock, logger: silentLogger };
const keys = createKeys(defaultKeyPrefix);

describe.skipIf(!isRedisAvailable() || !isOpensslAvailable())("a redis cluster", () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function started(options: Parameters<typeof startRedisCluster>[0] = {}): Promise<RedisCluster> {
    const cluster = await startRedisCluster({ withReplicas: false, ...options });
    cleanups.push(() => cluster.stop());
    return cluster;
  }

  async function opened(endpoint: CacheEndpoint) {
    const state = await openRedisState(endpoint, parts);
    cleanups.push(() => state.close());
    // A host admits nobody while its cache is slow, as it may be while several servers have just started.
    await eventually(async () => (await state.ping()).latencyMs < 200, "the cluster is at work");
    return state;
  }

  /** To whichever primary does not have it. */
  async function moveSlotOf(cluster: RedisCluster, key: string): Promise<void> {
    const from = await cluster.primaryOf(key);
    const to = cluster.primaries.find((node) => node !== from);
    if (to === undefined) throw new Error("there is no other primary");
    await cluster.migrateSlot(keySlot(key), to);
  }

  it("moves the slots of a conversation from one node to another, and the conversation goes on", async () => {
    const cluster = await started();
    const state = await opened(cluster.endpoint);
    const host = await startTestHost({ state });
    cleanups.push(() => host.close());
    const browser = await connectBrowser(host.url("/api/v1/browser/conversation"));
    expect(await browser.ask("one")).toBe("You said one.");
    const session = keys.session(browser.sessionId).record;
    const moving = Promise.all([session, keys.sessionsByActivity].map((key) => moveSlotOf(cluster, key)));
    expect(await browser.ask("two")).toBe("You said two.");
    await moving;
    expect(await browser.ask("three")).toBe("You said three.");
    const spoken = async () => (await state.sessions.history(browser.sessionId)).filter(({ role }) => role === "user");
    await eventually(async () => (await spoken()).length === 3, "every turn is stored");
    expect((await spoken()).map(({ content }) => content)).toEqual(["one", "two", "three"]);
    expect((await state.sessions.list({ offset: 0, limit: 10 })).total).toBe(1);
    await browser.close();
  });

  it("waits for a second until a slot has moved, in which no script that has new keys there can run", async () => {
    const cluster = await started();
    const state = await opened(cluster.endpoint);
    const key = keys.session("s-moving").record;
    const from = await cluster.primaryOf(key);
    const to = cluster.primaries.find((node) => node !== from);
    if (to === undefined) throw new Error("there is no other primary");
    let creating: Promise<unknown> | undefined;
    await cluster.migrateSlot(keySlot(key), to, async () => {
      creating = Promise.allSettled([state.sessions.create(newSession("s-moving", Date.now()))]);
      await sleep(1000);
    });
    expect(await creating).toMatchObject([{ status: "fulfilled" }]);
    expect(await state.sessions.get("s-moving")).toMatchObject({ sessionId: "s-moving" });
  });

  it("goes on delivering events and live updates whose slots have moved", async () => {
    const cluster = await started();
    const state = await opened(cluster.endpoint);
    const seen: string[] = [];
    const updates: string[] = [];
    await state.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await state.liveUpdates.watch({ sessionId: "s-1" }, ({ text }) => updates.push(text));
    await state.events.publish(termination("e-before"));
    await eventually(() => seen.length === 1, "the first event arrives");
    await moveSlotOf(cluster, keys.handlers);
    const channels = await channelsOf(cluster.primaries);
    expect(channels).not.toEqual([]);
    for (const channel of channels) await moveSlotOf(cluster, channel);
    await state.events.publish(termination("e-after"));
    await eventually(() => seen.length === 2, "the second event arrives");
    await eventually(() => {
      state.liveUpdates.publish({ sessionId: "s-1", text: "again" });
      return updates.length > 0;
    }, "the subscription is renewed");
    expect(seen).toEqual(["e-before", "e-after"]);
  });

  it("is not healthy when one of its nodes takes no writes", async () => {
    const cluster = await started();
    const state = await opened(cluster.endpoint);
    expect((await state.ping()).latencyMs).toBeGreaterThanOrEqual(0);
    for (const node of cluster.primaries) {
      await node.admin().config("SET", "min-replicas-to-write", "1");
      await expect(state.ping()).rejects.toMatchObject({ code: "cache_connection_failed", retryable: true });
      await node.admin().config("SET", "min-replicas-to-write", "0");
    }
    expect((await state.ping()).latencyMs).toBeGreaterThanOrEqual(0);
  });

  it("is spoken to over TLS by nodes that announce addresses and have the certificate of a name", async () => {
    const certificates = createCertificates("DNS:localhost");
    cleanups.push(async () => certificates.remove());
    const { caFile, certFile, keyFile, ca } = certificates;
    const files = ["--tls-ca-cert-file", caFile, "--tls-cert-file", certFile, "--tls-key-file", keyFile];
    const cluster = await started({
      args: [...files, "--tls-auth-clients", "no", "--tls-cluster", "yes"],
      client: { tls: { ca, servername: "localhost" } },
    });
    const state = await opened({ ...cluster.endpoint, host: "localhost", tls: { ca } });
    const updates: string[] = [];
    await state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    expect((await state.ping()).latencyMs).toBeGreaterThanOrEqual(0);
    for (const sessionId of ["s-1", "s-2", "s-3"]) state.liveUpdates.publish({ sessionId, text: sessionId });
    await eventually(() => updates.length === 3, "every update arrives");
  });

  it("is given each new token on every connection to every node, and connects again with the latest", async () => {
    const cluster = await started();
    const issuer = createTokenIssuer(
      cluster.nodes.map((node) => node.admin()),
      1500,
      2,
    );
    const { username, credential } = issuer;
    const state = await opened({ ...cluster.endpoint, authentication: { type: "entra", username, credential } });
    const seen: string[] = [];
    const updates: string[] = [];
    await state.events.subscribe(everyHandler(async ({ id }) => void seen.push(id)));
    await state.liveUpdates.watch("all", ({ text }) => updates.push(text));
    await state.ping();
    await state.sessions.create(newSession("s-token", Date.now()));
    const before = await connectionsOf(cluster.primaries, username);
    // Commands and subscriptions on each of the three nodes, and a consumer's connection for each type of call event.
    expect(before).toHaveLength(2 * 3 + callEventTypes.length);

    let written = 0;
    for (; issuer.issued() < 3; written += 1) {
      const turn = { items: [said("t", `turn ${written}`, Date.now())], appendId: `a-${written}` };
      await state.sessions.appendTurn("s-token", turn);
      await state.events.publish(termination(`e-${written}`));
      state.liveUpdates.publish({ sessionId: `s-${written}`, text: String(written) });
      await sleep(20);
    }
    await eventually(() => seen.length === written && updates.length === written, "everything arrives");
    expect(await state.sessions.history("s-token")).toHaveLength(written);
    expect(await connectionsOf(cluster.primaries, username)).toEqual(before);
    for (const node of cluster.primaries)
      expect(await node.admin().info("commandstats")).toMatch(/cmdstat_auth:.*failed_calls=0/);

    await issuer.revokeAllButTheLatest();
    for (const node of cluster.primaries) await node.admin().client("KILL", "USER", username);
    await eventually(async () => (await state.ping()).latencyMs >= 0, "every node is connected again");
    await state.events.publish(termination("e-after"));
    await eventually(() => seen.includes("e-after"), "the consumer is connected again");
    await eventually(() => {
      state.liveUpdates.publish({ sessionId: "s-1", text: "after" });
      return updates.includes("after");
    }, "the subscription is renewed");
  });
});

/** Those that somebody listens to. */
async function channelsOf(nodes: readonly RedisServer[]): Promise<string[]> {
  const lists = await Promise.all(nodes.map((node) => node.admin().call("PUBSUB", "SHARDCHANNELS")));
  return z.array(z.array(z.string())).parse(lists).flat();
}

async function connectionsOf(nodes: readonly RedisServer[], username: string): Promise<string[]> {
  const lists = await Promise.all(nodes.map(async (node) => String(await node.admin().client("LIST")).split("\n")));
  return lists.flatMap((lines, node) =>
    lines
      // The client asks for the layout on a connection that it closes again at once.
      .filter((line) => line.includes(`user=${username}`) && !line.includes("refresher"))
      .map((line) => `${node}: ${/^id=(\d+)/.exec(line)?.[1] ?? ""}`)
      .toSorted(),
  );
}
