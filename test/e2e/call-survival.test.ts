/**
 * A phone call outlives the streaming host that carries it: real host processes, Redis, the functions, the telephone
 * network, and SIGKILL in the middle of the conversation. `CALL_KILLS=20` measures more kills and prints how long it took.
 */
import { fileURLToPath } from "node:url";
import { loadSettings } from "@voice/shared/config/load";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import { createRedisState } from "@voice/shared/state/redis/create-redis-state";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provideDependencies } from "../../functions/src/compose.ts";
import { loadFunctionsApp } from "../../local/functions-host/functions-app.ts";
import { serveFunctions } from "../../local/functions-host/serve.ts";
import type { ServedFunctions } from "../../local/functions-host/serve.ts";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import type { PhoneNetwork } from "../../local/phone-network.ts";
import { freePort } from "../support/free-port.ts";
import { createHostProcess } from "../support/host-process.ts";
import type { HostProcess } from "../support/host-process.ts";
import { isRedisAvailable, startRedisServer } from "../support/redis-server.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import type { TcpBalancer } from "../support/tcp-balancer.ts";
import { eventually, sleep } from "../support/wait.ts";
import { eventsOf } from "./support/phone-rig.ts";

const kills = Number(process.env["CALL_KILLS"] ?? "2");
/** The second one runs a tool. */
const questions = ["I want to check my balance", "checking"];
/** From the moment a line begins to the middle of its answer. */
const intoTheAnswerMs = 3500;

describe.skipIf(!isRedisAvailable())("a phone call", () => {
  let redis: RedisServer;
  let state: State;
  let network: PhoneNetwork;
  let functions: ServedFunctions;
  let balancer: TcpBalancer;
  let hosts: HostProcess[];

  beforeAll(async () => {
    redis = await startRedisServer();
    const [functionsPort, ...hostPorts] = [await freePort(), await freePort(), await freePort(), await freePort()];
    balancer = await startTcpBalancer(hostPorts);
    network = await startLocalPhoneNetwork({
      baseUrl: `http://127.0.0.1:${functionsPort}`,
      streamingHostUrl: `ws://127.0.0.1:${balancer.port}`,
    });
    const environment = {
      ...network.environment,
      CACHE_HOST: "127.0.0.1",
      CACHE_PORT: `${redis.port}`,
      MAX_STT_POOL_SIZE: "1",
      MAX_TTS_POOL_SIZE: "1",
    };
    const settings = loadSettings(environment);
    state = await createRedisState({ settings, clock: systemClock, logger: silentLogger });
    provideDependencies({ state, configuration: createEnvironmentConfiguration(settings), logger: silentLogger });
    const app = await loadFunctionsApp(fileURLToPath(new URL("../../functions/src/main.ts", import.meta.url)));
    functions = await serveFunctions(app, { port: functionsPort });
    hosts = hostPorts.map((port) => createHostProcess(port, environment));
    await Promise.all(hosts.map((host) => host.start()));
    await network.connect();
  }, 120_000);

  afterAll(async () => {
    await network.close();
    await Promise.all(hosts.map((host) => host.kill()));
    await functions.close();
    await balancer.close();
    await state.close();
    await redis.stop();
  });

  it("[MEDIA-3] [HS-10] [EFFECT-1] outlives its hosts, with everything said and nothing done twice", async () => {
    const takeoversMs: number[] = [];
    while (takeoversMs.length < kills) {
      takeoversMs.push(...(await callThatLosesTwoHosts()));
      // Not during a call: loading the speech models would take the processor from the hosts that are left.
      await Promise.all(hosts.filter((host) => !host.isRunning).map((host) => host.start()));
    }
    const sorted = takeoversMs.toSorted((one, other) => one - other);
    console.log(`takeovers in ms, ${sorted.length} kills: ${sorted.join(" ")}`);
    expect(sorted.at(-1)).toBeLessThan(3000);
  }, 1_200_000);

  /** One kill while the caller is about to speak, one in the middle of an answer. */
  async function callThatLosesTwoHosts(): Promise<readonly number[]> {
    const killedAtMs: number[] = [];
    const work: Promise<void>[] = [];

    async function killCarrier(afterMs: number): Promise<void> {
      await sleep(afterMs);
      const carrier = hosts.find(({ port }) => port === balancer.latest);
      if (carrier === undefined) throw new Error("no host carries the call");
      killedAtMs.push(Date.now());
      await carrier.kill();
    }

    const lines = [...questions, ...questions];
    const callsBefore = network.emulator.calls.length;
    const phone = await network.call({ actions: lines.map((text) => ({ kind: "say", text })) }, (event) => {
      if (event.kind === "heard" && work.length === 0) work.push(killCarrier(0));
      else if (event.kind === "said" && event.text === questions[1] && work.length === 1)
        work.push(killCarrier(intoTheAnswerMs));
    });
    await Promise.all(work);

    expect(killedAtMs).toHaveLength(2);
    expect(network.emulator.calls).toHaveLength(callsBefore + 1);
    expect(eventsOf("ended", phone.events)).toMatchObject([{ why: "the phone hung up" }]);
    expect(eventsOf("nothing-heard", phone.events)).toEqual([]);

    const [latest] = (await state.calls.list({ offset: 0, limit: 1 })).calls;
    const { call, events } = latest ?? expect.fail("the call is not recorded");
    await eventually(async () => (await state.calls.get(call.callId))?.status === "disconnected", "the call ends");
    const history = await state.sessions.history(call.sessionId);
    const said = history.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(said).toEqual(lines.map((line) => line.toLowerCase()));
    expect(history.filter(({ role }) => role === "tool")).toHaveLength(2);
    expect(history.filter(({ content }) => content.startsWith("Thank you for calling"))).toHaveLength(1);

    const openedAtMs = events
      .filter(({ type }) => type.endsWith("MediaStreamingStarted"))
      .map(({ timestampMs }) => timestampMs);
    return killedAtMs.map((atMs) => (openedAtMs.find((later) => later >= atMs) ?? Infinity) - atMs);
  }
});
