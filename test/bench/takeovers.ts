/**
 * What callers notice of the death of their host: `node test/bench/takeovers.ts [kills]`. Everything is real but the
 * telephone network. One call after the other asks for a story and has its host killed ten times while it is told, each
 * time at another point, with the next host idle and the one that died started again in between. Ctrl-C ends it early,
 * with the figures so far.
 */
import { fileURLToPath } from "node:url";
import { systemClock } from "@voice/shared/platform/clock";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { EmulatedCall } from "../../local/emulators/comm/emulated-call.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { AttentiveCaller } from "../support/attentive-caller.ts";
import { startCallFleet } from "../support/call-fleet.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { sleep } from "../support/wait.ts";
import { percentile } from "./percentiles.ts";

readToolArguments({
  name: "node test/bench/takeovers.ts",
  help: `What callers notice of the death of their host.

  node test/bench/takeovers.ts [kills]    how many (100); Ctrl-C ends it early, with the figures so far`,
  allowPositionals: true,
});

const kills = Number(process.argv[2] ?? 100);
const killsPerCall = 10;
/** What the service does about the stream whose host has died: one for each call, in turn. */
const ways = ["opens it again", "reports a failure"] as const;
const phoneRateHz = 16_000;
/** Longer than the story. */
const patienceMs = 60_000;
/** A host that has just started still prepares fixed words. */
const settlingMs = 500;
/** Kills fall into so long a time; multiples of the golden ratio are spread evenly over it, however many there are. */
const spreadMs = 2000;
const goldenRatio = 0.618_034;

interface Takeover {
  readonly way: (typeof ways)[number];
  /** From SIGKILL to the stream on another host. */
  readonly streamMs: number;
  /** From SIGKILL to the agent's next audible word. */
  readonly voiceMs: number;
}

const takeovers: Takeover[] = [];
let callsLost = 0;
let turns = 0;
let turnsLost = 0;
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());

async function killCarrier(fleet: CallFleet, call: EmulatedCall, caller: AttentiveCaller): Promise<void> {
  const way = ways[ways.findIndex((one) => one === fleet.network.emulator.onBrokenStream)] ?? ways[0];
  const { opened } = call.streams;
  const killedAtMs = performance.now();
  await fleet.carrier().kill();
  while (call.streams.opened === opened && caller.lostBecause === undefined) {
    await sleep(2);
    if (performance.now() - killedAtMs > patienceMs) throw new Error("no host has taken the call");
  }
  const streamMs = performance.now() - killedAtMs;
  caller.listenAnew();
  const voiceMs = (await caller.firstWord(patienceMs)) - killedAtMs;
  takeovers.push({ way, streamMs, voiceMs });
  const count = `${takeovers.length}`.padStart(4);
  console.log(`${count}  ${way.padEnd(17)}  stream ${format(streamMs)}  voice ${format(voiceMs)}`);
}

function format(ms: number): string {
  return `${Math.round(ms)} ms`.padStart(8);
}

async function callWithKills(fleet: CallFleet, count: number, request: Int16Array): Promise<void> {
  const caller = new AttentiveCaller();
  const call = await fleet.network.emulator.dial(phoneNumbers.person, phoneNumbers.service, caller);
  await caller.firstWord(patienceMs);
  await caller.silence(patienceMs);
  let asked = 0;
  for (let kill = 0; kill < count && caller.lostBecause === undefined && !stopping.signal.aborted; kill++) {
    // The story may have been told to its end while a host was starting.
    if (!caller.isHearing) {
      caller.listenAnew();
      await caller.say(request);
      await caller.firstWord(patienceMs);
      asked += 1;
    }
    await sleep(((takeovers.length * goldenRatio) % 1) * spreadMs);
    await killCarrier(fleet, call, caller);
    await fleet.startWhatIsDown();
    await sleep(settlingMs);
  }
  await caller.silence(patienceMs);
  turns += asked;
  if (caller.lostBecause === undefined) caller.hangUp();
  else callsLost += 1;
  const { call: record } = await fleet.latestCall();
  await fleet.ended(record.callId);
  turnsLost += asked - storiesIn(await fleet.spoken(record), asked);
}

/** The stories that were asked for once and told to their end once. */
function storiesIn(spoken: readonly string[], asked: number): number {
  const [greeting, ...rest] = spoken;
  const pairs = Array.from({ length: asked }, (_, turn) => rest.slice(2 * turn, 2 * turn + 2));
  const told = pairs.filter(
    ([question, story]) => question === "user: tell me a story" && story?.endsWith("The end.") === true,
  );
  if (greeting === undefined || told.length < asked) console.log(`not as it should be: ${JSON.stringify(spoken)}`);
  return told.length;
}

function report(what: string, valuesMs: readonly number[]): void {
  const figures = [0.5, 0.9, 0.99, 1].map((share) => Math.round(percentile(valuesMs, share)));
  const [half, most, nearlyAll, all] = figures;
  console.log(`${what.padEnd(44)} p50 ${half}  p90 ${most}  p99 ${nearlyAll}  max ${all} ms  (n=${valuesMs.length})`);
}

const synthesiser = await createLocalSynthesiser({ clock: systemClock });
const request = await speakText(synthesiser, { text: "Tell me a story", voice: "slt", sampleRateHz: phoneRateHz });
await synthesiser.close();
const fleet = await startCallFleet({
  hosts: 2,
  environment: {
    CATALOG_DIR: fileURLToPath(new URL("../fixtures/takeover-catalog", import.meta.url)),
    AGENT_SCENARIO: "takeover",
  },
});
try {
  for (let calls = 0; takeovers.length < kills && !stopping.signal.aborted; calls++) {
    fleet.network.emulator.onBrokenStream = ways[calls % ways.length] ?? ways[0];
    await callWithKills(fleet, Math.min(killsPerCall, kills - takeovers.length), request);
  }
} finally {
  for (const way of ways) {
    const those = takeovers.filter((takeover) => takeover.way === way);
    report(
      `the service ${way}: killed → stream`,
      those.map(({ streamMs }) => streamMs),
    );
    report(
      `the service ${way}: killed → voice`,
      those.map(({ voiceMs }) => voiceMs),
    );
  }
  console.log(`calls lost ${callsLost}, turns lost ${turnsLost} of ${turns}`);
  await fleet.close();
}
