/** Kills one host after the other while calls are held on all of them, and notes what each kill did to its calls. */
import type { ClerkFleet } from "../../support/clerk-fleet.ts";
import type { RestartableProcess } from "../../support/restartable-process.ts";
import { sleep } from "../../support/wait.ts";
import type { HeldCall, PersistentCaller } from "./persistent-caller.ts";

interface MovedCall {
  /** The agent was audible. */
  readonly isHearing: boolean;
  /** From SIGKILL to the stream on another host; undefined where it came to none. */
  readonly streamMs: number | undefined;
  /** From SIGKILL to the agent's next audible word; undefined where the call was over, or lost its next host, before. */
  readonly voiceMs: number | undefined;
}

export interface Kill {
  readonly number: number;
  readonly moved: readonly MovedCall[];
}

/**
 * Of one fleet. Most of its calls are on the host that is struck. A call whose words were lost is asked for them after 4 s at most (TAKE-3), in
 * 3.5 s; where its next host dies before that was said, it is asked again.
 */
const periodMs = 7600;
/** Somebody has each call at once and can lose its host as well. */
const leastLeft = 2;
/** Sockets of a process that was killed are closed by its system. */
const closedWithinMs = 100;
const heardWithinMs = 15_000;
/** Longer than a gap between words, shorter than one between sentences. */
const wordsApartMs = 300;
/** Kills come at moments of their own within answers, turns and heartbeats: multiples of the golden ratio are spread evenly. */
const spreadMs = 800;
const goldenRatio = 0.618_034;

export interface KillHostsOptions {
  readonly clerk: ClerkFleet;
  readonly callers: readonly PersistentCaller[];
  /** The number of the next kill, of all fleets; undefined when there were enough. */
  readonly nextNumber: () => number | undefined;
  /** Ends it early. */
  readonly until: AbortSignal;
  readonly onKill: (kill: Kill) => void;
}

export async function killHosts({ clerk, callers, nextNumber, until, onKill }: KillHostsOptions): Promise<void> {
  const { hosts, network } = clerk.fleet;
  /** Those that are ready, the one that has been so for the longest, and has most calls, first. */
  const ready = [...hosts];
  const under: Promise<void>[] = [];
  const failures: unknown[] = [];
  const mayGoOn = (): boolean => !until.aborted && failures.length === 0;
  let dueMs = performance.now();
  while (mayGoOn()) {
    while (mayGoOn() && (performance.now() < dueMs || ready.length <= leastLeft)) await sleep(5);
    const number = mayGoOn() ? nextNumber() : undefined;
    const host = number === undefined ? undefined : ready.shift();
    if (number === undefined || host === undefined) break;
    dueMs = performance.now() + periodMs + ((number * goldenRatio) % 1) * spreadMs;
    // What the service does about the streams whose host has died.
    network.emulator.onBrokenStream = number % 2 === 0 ? "opens it again" : "reports a failure";
    under.push(killOne(host, callers, number).then(onKill));
    under.push(
      restart(host).then(
        () => void ready.push(host),
        (error: unknown) => void failures.push(error),
      ),
    );
  }
  await Promise.all(under);
  if (failures.length > 0) throw failures[0];
}

/** As soon as it is dead. */
async function restart(host: RestartableProcess): Promise<void> {
  await sleep(closedWithinMs);
  await host.start();
}

async function killOne(host: RestartableProcess, callers: readonly PersistentCaller[], number: number): Promise<Kill> {
  const held = callers.flatMap(({ held: one }) => (one === undefined ? [] : [one]));
  const before = held.map((one) => ({
    one,
    broken: one.call.streams.interruptions.length,
    opened: one.call.streams.opened,
    isHearing: !one.caller.isQuietFor(wordsApartMs),
  }));
  const killedMs = performance.now();
  await host.kill();
  await sleep(Math.max(0, killedMs + closedWithinMs - performance.now()));
  const lost = before.filter(({ one, broken }) => one.call.streams.interruptions.length > broken);
  const moved = lost.map(({ one, opened, isHearing }) => follow(one, { opened, isHearing, killedMs }));
  return { number, moved: await Promise.all(moved) };
}

interface Lost {
  /** How many streams the call had had. */
  readonly opened: number;
  readonly isHearing: boolean;
  readonly killedMs: number;
}

async function follow({ call, caller }: HeldCall, { opened, isHearing, killedMs }: Lost): Promise<MovedCall> {
  const isDue = (): boolean =>
    performance.now() < killedMs + heardWithinMs && caller.lostBecause === undefined && call.state === "connected";
  while (call.streams.opened === opened && isDue()) await sleep(5);
  if (call.streams.opened === opened) return { isHearing, streamMs: undefined, voiceMs: undefined };
  const openedMs = performance.now();
  const broken = call.streams.interruptions.length;
  while (caller.lastAudibleMs < openedMs && isDue() && call.streams.interruptions.length === broken) await sleep(5);
  const voiceMs = caller.lastAudibleMs < openedMs ? undefined : caller.lastAudibleMs - killedMs;
  return { isHearing, streamMs: openedMs - killedMs, voiceMs };
}
