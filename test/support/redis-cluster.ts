/** A real Redis Cluster of the test's own: primaries with a replica each, ended with the test. */
import { isDeepStrictEqual } from "node:util";
import type { Redis } from "ioredis";
import type { CacheEndpoint } from "@voice/shared/state/redis/endpoint";
import { keySlot } from "@voice/shared/state/redis/key-slot";
import { freePort } from "./free-port.ts";
import { startRedisServer, type RedisServer, type RedisServerOptions } from "./redis-server.ts";
import { eventually } from "./wait.ts";

export interface RedisClusterOptions {
  /** Further command line arguments of every node. */
  readonly args?: readonly string[];
  readonly withReplicas?: boolean;
  readonly client?: RedisServerOptions["client"];
}

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** As the cluster was formed. */
  readonly primaries: readonly RedisServer[];
  /** The address of the first primary, with which a service is configured. */
  readonly endpoint: CacheEndpoint;
  /** The node that serves the key's slot now, according to the nodes that are up. */
  primaryOf(key: string): Promise<RedisServer>;
  /**
   * All keys of the slot move to another primary, as when a cluster is given a further node, and every primary knows of it.
   * `moving`: what happens after the move has begun and before any key has moved.
   */
  migrateSlot(slot: number, to: RedisServer, moving?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const primaryCount = 3;
const slots = 16_384;
/** A node that does not answer for this long is considered dead, and its replica takes over. */
const nodeTimeoutMs = 1000;

export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { args = [], withReplicas = true, client } = options;
  const startNode = async (): Promise<RedisServer> => {
    const busPort = String(await freePort());
    const cluster = ["--cluster-enabled", "yes", "--cluster-port", busPort, "--repl-diskless-sync-delay", "0"];
    const timing = ["--cluster-node-timeout", String(nodeTimeoutMs), "--cluster-replica-validity-factor", "0"];
    const isClient = client === undefined ? {} : { client };
    return startRedisServer({ args: [...cluster, ...timing, ...args], ...isClient, busPort: Number(busPort) });
  };
  // A cluster of which one node does not start leaves none of the others running.
  await using parts = new AsyncDisposableStack();
  const starting = Array.from({ length: withReplicas ? 2 * primaryCount : primaryCount }, startNode);
  for (const started of await Promise.allSettled(starting))
    if (started.status === "fulfilled") parts.defer(() => started.value.stop());
  const nodes = await Promise.all(starting);
  const admins = new Map(nodes.map((node) => [node, node.admin()]));
  const ask = (node: RedisServer, ...command: [string, ...string[]]): Promise<unknown> =>
    adminOf(node).call(...command);

  function adminOf(node: RedisServer): Redis {
    const admin = admins.get(node);
    if (admin === undefined) throw new Error("not a node of this cluster");
    return admin;
  }

  async function idOf(node: RedisServer): Promise<string> {
    return String(await ask(node, "CLUSTER", "MYID"));
  }

  async function form(): Promise<void> {
    const [first, ...others] = nodes;
    if (first === undefined) throw new Error("a cluster has nodes");
    for (const [index, node] of nodes.slice(0, primaryCount).entries()) {
      const from = Math.floor((slots * index) / primaryCount);
      const to = Math.floor((slots * (index + 1)) / primaryCount) - 1;
      await ask(node, "CLUSTER", "ADDSLOTSRANGE", String(from), String(to));
      // Distinct epochs from the beginning: nodes that meet with the same one would have to settle it first.
      await ask(node, "CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
    }
    for (const other of others)
      await ask(first, "CLUSTER", "MEET", "127.0.0.1", String(other.port), String(other.busPort));
    await eventually(async () => {
      const known = await Promise.all(nodes.map((node) => ask(node, "CLUSTER", "NODES")));
      return known.every((text) => String(text).trim().split("\n").length === nodes.length);
    }, "every node knows every other");
    for (const [index, replica] of nodes.slice(primaryCount).entries()) {
      const primary = nodes[index];
      if (primary === undefined) continue;
      const id = await idOf(primary);
      await eventually(
        async () => (await ask(replica, "CLUSTER", "REPLICATE", id)) === "OK",
        "a replica has a primary",
      );
    }
    await eventually(async () => {
      const infos = await Promise.all(nodes.map((node) => ask(node, "CLUSTER", "INFO")));
      const links = await Promise.all(nodes.slice(primaryCount).map((node) => ask(node, "INFO", "replication")));
      const isFormed = infos.every((info) => String(info).includes("cluster_state:ok"));
      return isFormed && links.every((link) => String(link).includes("master_link_status:up"));
    }, "the cluster is whole");
  }

  async function primaryOf(key: string): Promise<RedisServer> {
    const slot = keySlot(key);
    const answers = await Promise.allSettled(nodes.filter(({ isUp }) => isUp()).map((node) => layoutOf(adminOf(node))));
    const port = answers
      .flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
      .find(
        ({ from, to, port: at }) => from <= slot && slot <= to && nodes.some((node) => node.port === at && node.isUp()),
      );
    const node = nodes.find((candidate) => candidate.port === port?.port);
    if (node === undefined) throw new Error("no node that is up serves this slot");
    return node;
  }

  /**
   * What each primary says about who serves what, and in which epoch. While these differ, a message that is still under way
   * from a slot's former owner may take the slot back from the new one, for good if its epoch is higher.
   */
  async function haveSettled(): Promise<boolean> {
    const views = await Promise.all(
      nodes.filter(({ isUp }) => isUp()).map(async (node) => primariesOf(String(await ask(node, "CLUSTER", "NODES")))),
    );
    const [first = []] = views;
    const epochs = new Set(first.map(({ epoch }) => epoch));
    return epochs.size === first.length && views.every((view) => isDeepStrictEqual(view, first));
  }

  await form();
  const [first] = nodes;
  if (first === undefined) throw new Error("a cluster has nodes");
  const running = parts.move();
  return {
    nodes,
    primaries: nodes.slice(0, primaryCount),
    endpoint: first.endpoint,
    primaryOf,
    async migrateSlot(slot, to, moving = async () => undefined) {
      const owners = await layoutOf(adminOf(to));
      const source = nodes.find(({ port }) =>
        owners.some((range) => range.port === port && range.from <= slot && slot <= range.to),
      );
      if (source === undefined || source === to) throw new Error("the slot cannot move there");
      const [sourceId, targetId] = await Promise.all([idOf(source), idOf(to)]);
      await ask(to, "CLUSTER", "SETSLOT", String(slot), "IMPORTING", sourceId);
      await ask(source, "CLUSTER", "SETSLOT", String(slot), "MIGRATING", targetId);
      await moving();
      for (;;) {
        const keys = await adminOf(source).cluster("GETKEYSINSLOT", slot, 1);
        const [key] = Array.isArray(keys) ? keys.map(String) : [];
        if (key === undefined) break;
        await ask(source, "MIGRATE", "127.0.0.1", String(to.port), key, "0", "5000");
      }
      // Every primary is told, as redis-cli does it. By gossip alone, a node that hears late may hold two others to have the
      // same epoch, and then keeps to the old owner for good.
      const bystanders = nodes.slice(0, primaryCount).filter((node) => node !== to && node !== source);
      for (const node of [to, source, ...bystanders])
        await ask(node, "CLUSTER", "SETSLOT", String(slot), "NODE", targetId);
      await eventually(haveSettled, "every primary knows who serves the slot now");
    },
    stop: () => running.disposeAsync(),
  };
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly port: number;
}

async function layoutOf(admin: Redis): Promise<readonly SlotRange[]> {
  const ranges = await admin.cluster("SLOTS");
  return ranges.map(([from, to, primary]) => ({
    from,
    to,
    port: primary?.[1] ?? 0,
  }));
}

/** A node's view of all primaries, in the order of their ids: `<id> <address> <flags> … <epoch> <link> <slots …>`. */
function primariesOf(
  clusterNodes: string,
): readonly { readonly id: string; readonly epoch: string; readonly slots: string }[] {
  return clusterNodes
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , flags = ""]) => flags.split(",").includes("master"))
    .map(([id = "", , , , , , epoch = "", , ...slots]) => {
      // In brackets a node notes, for itself alone, which slots are on their way.
      return { id, epoch, slots: slots.filter((range) => !range.startsWith("[")).join(" ") };
    })
    .toSorted((one, other) => one.id.localeCompare(other.id));
}
