/**
 * What a turn costs Redis: `node test/bench/redis-turns.ts [turns]`. One caller with the streaming host, a turn every four
 * seconds, and the same time without a turn, which is subtracted.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { startRedisServer } from "../support/redis-server.ts";
import { startSlowWire } from "../support/slow-wire.ts";
import { startTestHost } from "../support/test-host.ts";
import { MarkedRecogniser, ToneSynthesiser } from "./instant-providers.ts";
import { Caller } from "./load/caller.ts";
import { mediaWire } from "./load/wire.ts";

const turns = Number(process.argv[2] ?? 4);
const turnMs = 4000;
/** Far enough that what is sent together is one round trip. */
const oneWayMs = 5;

const redis = await startRedisServer();
const wire = await startSlowWire(redis.port, oneWayMs);
const state = await openRedisState(
  { ...redis.endpoint, port: wire.port },
  { clock: systemClock, logger: silentLogger },
);
const host = await startTestHost({
  state,
  clock: systemClock,
  providers: {
    recogniser: new MarkedRecogniser(),
    synthesiser: new ToneSynthesiser(),
    languageModel: new EchoModel(),
    createVoiceActivityDetector: await loadVoiceActivity(),
  },
});
const admin = redis.admin();
const caller = new Caller(mediaWire(16_000, true), performance.now(), 0);
await caller.connect(host.url("/api/v1/media/stream?call_connection_id=bench-redis"));
let talks = false;
const ticker = setInterval(() => caller.tick(performance.now(), talks), 1);

try {
  await sleep(turnMs);
  const idle = await costOf(turns * turnMs);
  talks = true;
  await sleep(turnMs);
  caller.reset();
  const busy = await costOf(turns * turnMs);
  const held = caller.finish().turns;
  const perTurn = (figure: keyof typeof idle): string => ((busy[figure] - idle[figure]) / held).toFixed(1);
  console.log(
    `a turn: ${perTurn("roundTrips")} round trips, ${perTurn("commands")} commands on the server (n=${held})`,
  );
  const perSecond = (idle.commands * 1000) / (turns * turnMs);
  console.log(`a host with one session and no turn: ${perSecond.toFixed(1)} commands a second`);
} finally {
  clearInterval(ticker);
  caller.close();
  await host.close();
  await state.close();
  admin.disconnect();
  await wire.close();
  await redis.stop();
}

async function costOf(ms: number): Promise<{ readonly roundTrips: number; readonly commands: number }> {
  const trips = wire.roundTrips();
  await admin.config("RESETSTAT");
  await sleep(ms);
  const stats = await admin.info("commandstats");
  const calls = [...stats.matchAll(/^cmdstat_(?!config|info)[^:]+:calls=(\d+)/gm)].map(([, count]) => Number(count));
  return { roundTrips: wire.roundTrips() - trips, commands: calls.reduce((sum, count) => sum + count, 0) };
}
