/**
 * `npm run chaos -- --kills 1000`: hosts are killed one after the other while several calls are held on each. Streaming hosts, the
 * functions app, Redis, the telephone network and tools are processes and sockets as ever, and packages as they are deployed, which start
 * with a third of the processor time that the sources take; the engines of speech are not, so that there is time for a thousand kills.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { systemClock } from "@voice/shared/platform/clock";
import { speakText } from "../../../local/person/line-audio.ts";
import { percentile } from "../../bench/percentiles.ts";
import { startClerkFleet } from "../../support/clerk-fleet.ts";
import { placePackages, type Packages } from "../../support/made-packages.ts";
import { noFillers } from "../../support/no-fillers.ts";
import { sleep } from "../../support/wait.ts";
import { newOutcome, type Outcome } from "../outcome.ts";
import { killHosts, type Kill, type KillHostsOptions } from "./kill-hosts.ts";
import { markSpeech, sentences } from "./marked-speech.ts";
import type { Sentence } from "./marked-speech.ts";
import { PersistentCaller } from "./persistent-caller.ts";

export interface KillPlan {
  readonly kills: number;
  /** No kill after that. */
  readonly minutes: number;
}

/** Side by side, with hosts, functions app, Redis and telephone network of their own: while one recovers, another is struck. */
const fleets = 4;
const hostsOfFleet = 3;
const callsOfFleet = 4;
const rateHz = 16_000;
const frameSamples = rateHz / 50;
/** Calls begin at moments of their own. */
const betweenCallersMs = 700;
const thisFolder = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Resolves with what became of calls, turns and effects. */
export async function runKills({ kills, minutes }: KillPlan, stopping: AbortSignal): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), "voice-kills-"));
  try {
    return await killAll({ kills, minutes }, placePackages(folder), stopping);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killAll({ kills, minutes }: KillPlan, packages: Packages, stopping: AbortSignal): Promise<Outcome> {
  const spoken = await speakSentences();
  const outcome = newOutcome();
  const done: Kill[] = [];
  const onKill = (kill: Kill): void => {
    done.push(kill);
    console.log(killLine(kill, outcome));
  };
  let begun = 0;
  const nextNumber = (): number | undefined => (begun < kills ? ++begun : undefined);
  const until = AbortSignal.any([stopping, AbortSignal.timeout(minutes * 60_000)]);
  const began = performance.now();
  const calls = await Promise.all(
    Array.from({ length: fleets }, () => runFleet({ packages, spoken, outcome, until, nextNumber, onKill })),
  );
  const sums = {
    outcome,
    calls: calls.reduce((sum, some) => sum + some),
    minutes: (performance.now() - began) / 60_000,
  };
  console.log(`\n${killTable(done, sums)}`);
  return outcome;
}

interface FleetRun extends Omit<KillHostsOptions, "clerk" | "callers"> {
  readonly packages: Packages;
  readonly spoken: ReadonlyMap<Sentence, Int16Array>;
  readonly outcome: Outcome;
}

/** Resolves with the number of calls. */
async function runFleet({ packages, spoken, outcome, ...killing }: FleetRun): Promise<number> {
  const clerk = await startClerkFleet({
    hosts: hostsOfFleet,
    packages,
    environment: {
      ...noFillers,
      RECOGNISER_MODULE: thisFolder("marked-recogniser.ts"),
      SYNTHESISER_MODULE: thisFolder("humming-synthesiser.ts"),
    },
  });
  const leaving = new AbortController();
  try {
    const callers = Array.from({ length: callsOfFleet }, () => new PersistentCaller(clerk, spoken, outcome));
    const calling = callers.map(async (caller, at) => {
      await sleep(at * betweenCallersMs);
      await caller.holdCalls(leaving.signal);
    });
    await sleep(callsOfFleet * betweenCallersMs);
    await killHosts({ clerk, callers, ...killing });
    leaving.abort();
    await Promise.all(calling);
    return callers.reduce((sum, caller) => sum + caller.calls, 0);
  } finally {
    leaving.abort();
    await clerk.close();
  }
}

async function speakSentences(): Promise<ReadonlyMap<Sentence, Int16Array>> {
  const synthesiser = await createLocalSynthesiser({ clock: systemClock });
  const voices = new Map<Sentence, Int16Array>();
  for (const text of sentences) {
    const voice = await speakText(synthesiser, { text, voice: "slt", sampleRateHz: rateHz });
    voices.set(text, markSpeech(voice, text, frameSamples));
  }
  await synthesiser.close();
  return voices;
}

function killLine({ number, moved }: Kill, outcome: Outcome): string {
  const hearing = moved.filter(({ isHearing }) => isHearing);
  const list = (values: readonly (number | undefined)[]): string =>
    values.map((ms) => (ms === undefined ? "-" : Math.round(ms))).join(" ");
  return [
    `kill ${`${number}`.padStart(4)}`,
    `${moved.length} calls`,
    `stream ${list(moved.map(({ streamMs }) => streamMs))} ms`,
    `heard again ${list(hearing.map(({ voiceMs }) => voiceMs))} ms`,
    `so far ${outcome.callsLost} calls lost, ${outcome.turnsLost} of ${outcome.turns} turns, ${outcome.effectsTwice + outcome.turnsTwice} twice`,
  ].join(" | ");
}

interface Sums {
  readonly outcome: Outcome;
  readonly calls: number;
  readonly minutes: number;
}

function killTable(kills: readonly Kill[], { outcome, calls, minutes }: Sums): string {
  const moved = kills.flatMap((kill) => kill.moved);
  const hearing = moved.filter(({ isHearing }) => isHearing);
  const rows: readonly (readonly [string, string])[] = [
    ["kills", `${kills.length} in ${minutes.toFixed(1)} minutes`],
    ["calls", `${calls}`],
    ["calls lost", `${outcome.callsLost}`],
    ["moved to another host", `${moved.length} times`],
    ["turns", `${outcome.turns}`],
    ["turns lost", `${outcome.turnsLost}`],
    ["turns asked for again, or apologised for", `${outcome.apologies}`],
    ["effects", `${outcome.effects}`],
    ["turns or effects twice", `${outcome.turnsTwice + outcome.effectsTwice}`],
    ["killed → stream on another host", spread(moved.map(({ streamMs }) => streamMs))],
    ["killed → heard again, where the agent spoke", spread(hearing.map(({ voiceMs }) => voiceMs))],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join("\n");
}

function spread(values: readonly (number | undefined)[]): string {
  const known = values.filter((ms) => ms !== undefined);
  const [half, most, nearlyAll, all] = [0.5, 0.9, 0.99, 1].map((share) => Math.round(percentile(known, share)));
  return `p50 ${half}  p90 ${most}  p99 ${nearlyAll}  max ${all} ms (${known.length} of ${values.length})`;
}
