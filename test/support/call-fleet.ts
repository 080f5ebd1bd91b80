/**
 * The service as it is deployed, made of processes that can be killed: streaming hosts behind a load balancer, a functions
 * app, Redis; and the telephone network with its phones. For tests and measurements of what calls survive.
 */
import { fileURLToPath } from "node:url";
import { loadSettings } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { CallRecord, LoggedCall } from "@voice/shared/state/ports/call-store";
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import { createRedisState } from "@voice/shared/state/redis/create-redis-state";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { z } from "zod";
import type { SeenRequest } from "../../local/emulators/comm/emulator.ts";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import type { PhoneNetwork } from "../../local/phone-network.ts";
import { freePort } from "./free-port.ts";
import { createHostProcess } from "./host-process.ts";
import { startRedisServer } from "./redis-server.ts";
import type { RedisServer } from "./redis-server.ts";
import { createRestartableProcess } from "./restartable-process.ts";
import type { RestartableProcess } from "./restartable-process.ts";
import { startTcpBalancer } from "./tcp-balancer.ts";
import type { TcpBalancer } from "./tcp-balancer.ts";
import { eventually } from "./wait.ts";

export interface CallFleetOptions {
  readonly hosts: number;
  /** For functions and hosts alike. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long the network lets a phone ring. */
  readonly ringMs?: number;
  /** Whose telephone service it is: Azure's where absent. */
  readonly service?: "twilio";
  /** Packages to run instead of the sources, by their entry files: of the functions app, and of all hosts or of each of them. */
  readonly packages?: { readonly functions: string; readonly host: string | readonly string[] };
  /** The phones' voices, where they are there already. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
  /** Where there is a cache already, which is not ended with the fleet. */
  readonly cache?: FleetCache;
}

interface FleetCache {
  readonly redis: RedisServer;
  /** Where the processes of the fleet find it; the test itself goes there directly. */
  readonly port: number;
}

export interface CallFleet {
  readonly redis: RedisServer;
  /** The test's own connection to the same state. */
  readonly state: State;
  readonly network: PhoneNetwork;
  /** The way of the calls' streams to the hosts. */
  readonly streams: TcpBalancer;
  readonly functions: RestartableProcess;
  readonly hosts: readonly RestartableProcess[];
  /** The host that took the latest media stream. */
  carrier(): RestartableProcess;
  /** The host that made a request to the telephone service. */
  makerOf(request: Pick<SeenRequest, "host">): RestartableProcess;
  /** Must not run during a call, because loading the speech models would take the processor from the remaining hosts. */
  startWhatIsDown(): Promise<void>;
  /** Resolves with the call's id. */
  initiate(body: Readonly<Record<string, unknown>>): Promise<string>;
  get(path: string): Promise<Response>;
  latestCall(): Promise<LoggedCall>;
  /** Once the record says so, too. */
  ended(callId: string): Promise<CallRecord>;
  /** `role: words`, tools left out. */
  spoken(call: CallRecord): Promise<string[]>;
  history(call: CallRecord): Promise<readonly HistoryItem[]>;
  /** How often the service was asked for this, without the repetitions that it recognised. */
  requests(operation: string): number;
  close(): Promise<void>;
}

const startFunctions = fileURLToPath(new URL("../../local/start-functions.ts", import.meta.url));
const functionsProcess = fileURLToPath(new URL("functions-process.ts", import.meta.url));
const initiated = z.object({ call_id: z.string() });

export async function startCallFleet(options: CallFleetOptions): Promise<CallFleet> {
  // A fleet of which one part does not start leaves none of the others running.
  await using parts = new AsyncDisposableStack();
  const redis = options.cache?.redis ?? (await startRedisServer());
  if (options.cache === undefined) parts.defer(() => redis.stop());
  const functionsPort = await freePort();
  const hostPorts: number[] = [];
  while (hostPorts.length < options.hosts) hostPorts.push(await freePort());
  const balancer = await startTcpBalancer(hostPorts);
  parts.defer(() => balancer.close());
  const baseUrl = `http://127.0.0.1:${functionsPort}`;
  const network = await startLocalPhoneNetwork({
    baseUrl,
    streamingHostUrl: `ws://127.0.0.1:${balancer.port}`,
    // Tests of these fleets ask which host has the call, not which one announces it.
    incomingCallRetries: "soon",
    localSpeech: options.localSpeech,
    service: options.service,
    ...(options.ringMs === undefined ? {} : { ringMs: options.ringMs }),
  });
  parts.defer(() => network.close());
  const environment = {
    ...network.environment,
    CACHE_HOST: "127.0.0.1",
    CACHE_PORT: `${options.cache?.port ?? redis.port}`,
    MAX_STT_POOL_SIZE: "1",
    MAX_TTS_POOL_SIZE: "1",
    // The callers say the agents' own sentences, and each of several hosts on one machine would load a model of its own.
    LOCAL_OPEN_VOCABULARY: "false",
    LOCAL_SENTENCE_MEANING: "false",
    VAD_MODEL_ENABLED: "false",
    ...options.environment,
  };
  const state = await createRedisState({
    settings: loadSettings({ ...environment, CACHE_PORT: `${redis.port}` }),
    clock: systemClock,
    logger: silentLogger,
  });
  parts.defer(() => state.close());
  const functions = createRestartableProcess({
    what: "the functions app",
    port: functionsPort,
    ...(options.packages === undefined
      ? { script: startFunctions, args: ["--port", `${functionsPort}`] }
      : { script: functionsProcess, args: [options.packages.functions, `${functionsPort}`] }),
    environment,
    readyPath: "/api/v1/health",
  });
  const packaged = options.packages?.host;
  const members = await Promise.all(
    hostPorts.map((port, index) =>
      createMember(port, network, environment, typeof packaged === "object" ? packaged[index] : packaged),
    ),
  );
  const hosts = members.map(({ host }) => host);
  parts.defer(async () => {
    await Promise.all([functions.kill(), ...hosts.map((host) => host.kill())]);
    await Promise.all(members.map(({ way }) => way.close()));
  });
  await Promise.all([functions.start(), ...hosts.map((host) => host.start())]);
  await network.connect();

  function find(isWanted: (member: Member) => boolean): RestartableProcess {
    const member = members.find(isWanted);
    if (member === undefined) throw new Error("no host of this fleet");
    return member.host;
  }

  const running = parts.move();
  const history = (call: CallRecord): Promise<readonly HistoryItem[]> => state.sessions.history(call.sessionId);
  return {
    redis,
    state,
    network,
    streams: balancer,
    functions,
    hosts,
    carrier: () => find(({ host }) => host.port === balancer.latest),
    makerOf: (request) => find(({ way }) => request.host.endsWith(`:${way.port}`)),
    async startWhatIsDown() {
      await Promise.all(hosts.filter((host) => !host.isRunning).map((host) => host.start()));
    },
    async initiate(body) {
      const response = await fetch(`${baseUrl}/api/v1/calls/initiate`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return initiated.parse(await response.json()).call_id;
    },
    get: (path) => fetch(`${baseUrl}/api/v1${path}`),
    async latestCall() {
      const [latest] = (await state.calls.list({ offset: 0, limit: 1 })).calls;
      if (latest === undefined) throw new Error("no call is recorded");
      return latest;
    },
    async ended(callId) {
      let record: CallRecord | undefined;
      await eventually(async () => {
        record = await state.calls.get(callId);
        return record?.status === "disconnected" || record?.status === "failed";
      }, "the call's record says that it is over");
      if (record === undefined) throw new Error("there is no such call");
      return record;
    },
    history,
    async spoken(call) {
      const items = (await history(call)).filter(({ role, content }) => role !== "tool" && content !== "");
      return items.map(({ role, content }) => `${role}: ${content}`);
    },
    requests: (operation) => {
      if (options.service === "twilio")
        return network.twilio.requests.filter((request) => request.operation === operation).length;
      return network.emulator.requests.filter((request) => request.operation === operation && !request.isRepetition)
        .length;
    },
    close: () => running.disposeAsync(),
  };
}

interface Member {
  readonly host: RestartableProcess;
  /** Each host has its own way to the telephone service, so that its requests can be told from the others'. */
  readonly way: TcpBalancer;
}

/** Where hosts find the telephone service. */
const serviceAddresses: ReadonlySet<string> = new Set(["COMM_CONNECTION_STRING", "TWILIO_API_URL"]);

async function createMember(
  port: number,
  network: PhoneNetwork,
  environment: Readonly<Record<string, string>>,
  /** The entry file of a package. */
  script: string | undefined,
): Promise<Member> {
  const way = await startTcpBalancer([Number(new URL(network.url).port)]);
  const wayUrl = `http://127.0.0.1:${way.port}`;
  const addresses = Object.entries(environment).filter(([name]) => serviceAddresses.has(name));
  const own = Object.fromEntries(addresses.map(([name, value]) => [name, value.replace(network.url, wayUrl)]));
  return { way, host: createHostProcess(port, { ...environment, ...own }, script) };
}
