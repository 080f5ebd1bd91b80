/** Everything that is done to the service, one after the other. */
import { execFileSync } from "node:child_process";
import { attackConnections } from "../hostile/attack-connections.ts";
import { newFigures } from "../hostile/figures.ts";
import { createKeys, defaultKeyPrefix } from "@voice/shared/state/redis/keys";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { AttentiveCaller } from "../support/attentive-caller.ts";
import type { TcpBalancer } from "../support/tcp-balancer.ts";
import { eventually } from "../support/wait.ts";
import type { ChaosFleet, FleetKind } from "./chaos-fleet.ts";

interface Struck {
  readonly fleet: ChaosFleet;
  /** Of the call in the middle of which it happens. */
  readonly sessionId: string;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly on: FleetKind;
  /** Before it is mended. */
  readonly lastsMs: number;
  /** Does the harm; what it resolves with mends it again. */
  strike(struck: Struck): Promise<() => Promise<void> | void>;
}

const outageMs = 10_000;
const keys = createKeys(defaultKeyPrefix);
/** No recording of a few seconds is so small. */
const fullDiskBytes = 4096;
/** Of eight kinds each. */
const hostileConnections = 1000 / 8;
/** Of four places one is taken. */
const crowdSize = 8;
/** As long as an incoming call may be answered. */
const crowdPatienceMs = 30_000;

const killHost: Scenario["strike"] = async ({ fleet: { fleet } }) => {
  await fleet.carrier().kill();
  return () => fleet.startWhatIsDown();
};

/** The replica is promoted, and what was the primary comes back as the replica of the other one. */
async function killPrimary({ fleet: { cluster }, sessionId }: Struck): Promise<() => Promise<void>> {
  if (cluster === undefined) throw new Error("there is no cluster");
  const key = keys.session(sessionId).record;
  const primary = await cluster.primaryOf(key);
  await primary.kill();
  return async () => {
    await eventually(async () => (await cluster.primaryOf(key)) !== primary, "the replica is promoted");
    await primary.start();
  };
}

function pidsOf({ fleet }: ChaosFleet): number[] {
  return [...fleet.hosts, fleet.functions].flatMap(({ pid, isRunning }) =>
    isRunning && pid !== undefined ? [pid] : [],
  );
}

function wayToRedis({ wayToRedis: way }: ChaosFleet): TcpBalancer {
  if (way === undefined) throw new Error("nothing stands between this fleet and its Redis");
  return way;
}

function limitFiles(fleet: ChaosFleet, limit: string): void {
  for (const pid of pidsOf(fleet)) execFileSync("prlimit", ["--pid", `${pid}`, `--fsize=${limit}:`]);
}

function jumpClocks({ fleet }: ChaosFleet): void {
  for (const host of [...fleet.hosts, fleet.functions]) host.signal("SIGUSR2");
}

/** More people call at once than there are places; each hangs up once greeted, so that the others get theirs. */
async function crowd({ fleet: { fleet } }: Struck): Promise<() => Promise<void>> {
  const callers = Array.from({ length: crowdSize }, () => new AttentiveCaller());
  const { emulator } = fleet.network;
  await Promise.all(callers.map((caller) => emulator.dial(phoneNumbers.person, phoneNumbers.service, caller)));
  return async () => {
    await Promise.all(
      callers.map(async (caller) => {
        await caller.firstWord(crowdPatienceMs);
        caller.hangUp();
      }),
    );
  };
}

export const scenarios: readonly Scenario[] = [
  {
    name: "host-killed",
    about: "kill -9 of the host that has the call",
    on: "one Redis",
    lastsMs: 0,
    strike: killHost,
  },
  {
    name: "functions-killed",
    about: "kill -9 of the functions app, which starts again after 3 s",
    on: "one Redis",
    lastsMs: 3000,
    async strike({ fleet: { fleet } }) {
      await fleet.functions.kill();
      return () => fleet.functions.start();
    },
  },
  {
    name: "redis-restart",
    about: "Redis is killed and starts again at once",
    on: "one Redis",
    lastsMs: 0,
    async strike({ fleet: { fleet } }) {
      await fleet.redis.kill();
      return () => fleet.redis.start();
    },
  },
  {
    name: "redis-outage",
    about: "Redis is away for 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet: { fleet } }) {
      await fleet.redis.kill();
      return () => fleet.redis.start();
    },
  },
  {
    name: "redis-hangs",
    about: "Redis answers nothing for 10 s, and its connections stay open",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet: { fleet } }) {
      return fleet.redis.freeze();
    },
  },
  {
    name: "redis-cut",
    about: "the network to Redis is cut for 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet }) {
      const way = wayToRedis(fleet);
      way.cut();
      return () => way.mend();
    },
  },
  {
    name: "redis-half-open",
    about: "nothing comes through the open connections to Redis any more; new ones work",
    on: "one Redis",
    lastsMs: 0,
    async strike({ fleet }) {
      wayToRedis(fleet).freeze();
      return () => undefined;
    },
  },
  {
    name: "model-refuses",
    about: "the model answers 503 for 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet: { cloud } }) {
      cloud.modelBehaviour = "refuses";
      return () => {
        cloud.modelBehaviour = "answers";
      };
    },
  },
  {
    name: "model-slow",
    about: "each answer of the model takes 3 s more, for 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet: { cloud } }) {
      cloud.modelBehaviour = "is slow";
      return () => {
        cloud.modelBehaviour = "answers";
      };
    },
  },
  {
    name: "providers-cut",
    about: "the network to the speech service and the model is cut for 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet: { cloud } }) {
      for (const way of cloud.ways) way.cut();
      return () => {
        for (const way of cloud.ways) way.mend();
      };
    },
  },
  {
    name: "providers-half-open",
    about: "nothing comes through the open connections to the speech service and the model; new ones work",
    on: "one Redis",
    lastsMs: 0,
    async strike({ fleet: { cloud } }) {
      for (const way of cloud.ways) way.freeze();
      return () => undefined;
    },
  },
  {
    name: "stream-cut",
    about: "the network between the phones' streams and the hosts is cut for 5 s",
    on: "one Redis",
    lastsMs: 5000,
    async strike({ fleet: { fleet } }) {
      fleet.streams.cut();
      return () => fleet.streams.mend();
    },
  },
  {
    name: "stream-half-open",
    about: "nothing comes through the call's stream any more; a new one works",
    on: "one Redis",
    lastsMs: 0,
    async strike({ fleet: { fleet } }) {
      fleet.streams.freeze();
      return () => undefined;
    },
  },
  {
    name: "clock-jump",
    about: "the wall clocks of all processes jump a quarter of an hour ahead, and back after 10 s",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet }) {
      jumpClocks(fleet);
      return () => jumpClocks(fleet);
    },
  },
  {
    name: "disk-full",
    about: "no recording can be written for 10 s (a limit on the size of files)",
    on: "one Redis",
    lastsMs: outageMs,
    async strike({ fleet }) {
      limitFiles(fleet, `${fullDiskBytes}`);
      return () => limitFiles(fleet, "unlimited");
    },
  },
  {
    name: "hostile-connections",
    about: "a thousand half-open, slow, deaf and refused peers at the hosts",
    on: "one Redis",
    lastsMs: 0,
    async strike({ fleet: { fleet } }) {
      const { port } = fleet.streams;
      const target = { url: `http://127.0.0.1:${port}`, socketUrl: `ws://127.0.0.1:${port}` };
      const attack = attackConnections(target, newFigures(), hostileConnections);
      return () => attack;
    },
  },
  {
    name: "full-house",
    about: "eight people call at once while three places are free; the others ring until one is",
    on: "few places",
    lastsMs: 3000,
    strike: crowd,
  },
  {
    name: "host-killed-cluster",
    about: "kill -9 of the host that has the call, on a Redis Cluster",
    on: "a cluster",
    lastsMs: 0,
    strike: killHost,
  },
  {
    name: "redis-failover",
    about: "the primary that has the conversation is killed, and its replica is promoted",
    on: "a cluster",
    lastsMs: 0,
    strike: killPrimary,
  },
  {
    name: "zone-lost",
    about:
      "half of the hosts with the call, the functions app and the primary with the conversation are killed at once",
    on: "a cluster",
    lastsMs: 3000,
    async strike(struck) {
      const { fleet } = struck.fleet;
      const [promote] = await Promise.all([killPrimary(struck), fleet.carrier().kill(), fleet.functions.kill()]);
      return async () => {
        await Promise.all([promote(), fleet.functions.start()]);
        await fleet.startWhatIsDown();
      };
    },
  },
];
