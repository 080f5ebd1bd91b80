/**
 * What a turn costs Redis: `node test/bench/redis-turns.ts [turns]`. One caller with the streaming host, a turn every four
 * seconds, less what a session without a turn costs in that time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { tabulateConversations } from "@voice/shared/state/tabulated-state";
import { openRedisState } from "@voice/shared/state/redis/create-redis-state";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import { EchoModel } from "@voice/streaming-host/testing/echo-model";
import { commandsSince, describeCommands, executedCommands, totalOf } from "../support/redis-commands.ts";
import type { CommandCounts } from "../support/redis-commands.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startSlowWire } from "../support/slow-wire.ts";
import { startTestHost } from "../support/test-host.ts";
import { MarkedRecogniser, ToneSynthesiser } from "./instant-providers.ts";
import { Caller } from "./load/caller.ts";
import { mediaWire } from "./load/wire.ts";

const turns = Number(process.argv[2] ?? 4);
const turnMs = 4000;
/** The agent speaks up after 10 s of silence (IDLE-1), which would be a turn of its own. */
const idleMs = 8000;
/** The greeting is over. */
const settlesMs = 4000;
/** Far enough that what is sent together is one round trip. */
const oneWayMs = 5;

const redis = await startRedisServer();
const wire = await startSlowWire(redis.port, oneWayMs);
const parts = { clock: systemClock, logger: silentLogger };
const state = tabulateConversations(
  await openRedisState({ ...redis.endpoint, port: wire.port }, parts),
  systemClock,
  silentLogger,
);
const host = await startTestHost({
  state,
  clock: systemClock,
  providers: {
    recogniser: new MarkedRecogniser(),
    synthesiser: new ToneSynthesiser(),
    languageModel: new EchoModel(),
    createVoiceActivityDetector: await loadVoiceActivity(await loadSpeechModel()),
  },
});
const admin = redis.admin();
const caller = new Caller(mediaWire(16_000, { isPaced: true }), performance.now(), 0);
await caller.connect(host.url("/api/v1/media/stream?call_connection_id=bench-redis"));
let talks = false;
const ticker = setInterval(() => caller.tick(performance.now(), talks), 1);

try {
  await sleep(settlesMs);
  const idle = await costOf(idleMs);
  talks = true;
  await sleep(turnMs);
  caller.reset();
  const busy = await costOf(turns * turnMs);
  const held = caller.finish().turns;
  const perTurn = (count: number): string => (count / held).toFixed(1);
  const idleShare = (turns * turnMs) / idleMs;
  const besides = new Map([...idle.commands].map(([name, count]) => [name, count * idleShare]));
  const ofTurns = commandsSince(besides, busy.commands);
  const trips = perTurn(busy.roundTrips - idle.roundTrips * idleShare);
  console.log(`a turn: ${trips} round trips, ${perTurn(totalOf(ofTurns))} commands on the server (n=${held})`);
  console.log(`of which ${describeCommands(ofTurns, 12, perTurn)}`);
  const perSecond = (count: number): string => ((count * 1000) / idleMs).toFixed(1);
  console.log(`a host with one session and no turn: ${perSecond(totalOf(idle.commands))} commands a second`);
} finally {
  clearInterval(ticker);
  caller.close();
  await host.close();
  await state.close();
  admin.disconnect();
  await wire.close();
  await redis.stop();
}

interface Cost {
  readonly roundTrips: number;
  readonly commands: CommandCounts;
}

async function costOf(ms: number): Promise<Cost> {
  const trips = wire.roundTrips();
  const before = await executedCommands(admin);
  await sleep(ms);
  return { roundTrips: wire.roundTrips() - trips, commands: commandsSince(before, await executedCommands(admin)) };
}
