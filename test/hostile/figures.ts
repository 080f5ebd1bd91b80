/** What the suite counted and measured. */
import { latestMs, latestOfItselfMs, type LateFrame } from "./frame-lateness.ts";
import type { Stall } from "./loop-watch.ts";
import type { Memory, Stalls } from "./target.ts";

export interface Figures {
  inputs: number;
  /** Answers of 500, and sockets that ended with 1011: something was not foreseen. */
  unforeseen: string[];
  unauthorisedAccesses: string[];
  /** How late frames came to other callers before the attack, and under it: the worst of each round. */
  idle: Waiting;
  rounds: Round[];
  openSocketsLeft: number;
  memoryBefore: Memory;
}

interface Round {
  readonly waiting: Waiting;
  readonly memory: Memory;
}

/** For how long others waited, and why. */
export interface Waiting {
  readonly latestMs: number;
  /** Less what the machine did. */
  readonly latestOfItselfMs: number;
  readonly idleServersLatestMs: number;
  readonly longestBusyMs: number;
  readonly longest: Omit<Stall, "atMs">;
}

export const noWaiting: Waiting = {
  latestMs: 0,
  latestOfItselfMs: 0,
  idleServersLatestMs: 0,
  longestBusyMs: 0,
  longest: { delayMs: 0, busyMs: 0, queuedMs: 0, collectingMs: 0 },
};

export function newFigures(): Figures {
  return {
    inputs: 0,
    unforeseen: [],
    unauthorisedAccesses: [],
    idle: noWaiting,
    rounds: [],
    openSocketsLeft: 0,
    memoryBefore: { heapUsed: 0, external: 0, rss: 0 },
  };
}

export function waitingOf(
  { frames, idle }: { readonly frames: readonly LateFrame[]; readonly idle: readonly LateFrame[] },
  { stalls, longestBusyMs }: Stalls,
): Waiting {
  return {
    latestMs: latestMs(frames),
    latestOfItselfMs: latestOfItselfMs(frames, { idle, stalls }),
    idleServersLatestMs: latestMs(idle),
    longestBusyMs,
    longest: stalls.reduce((longest, stall) => (stall.delayMs > longest.delayMs ? stall : longest), noWaiting.longest),
  };
}

export function worse(one: Waiting, other: Waiting): Waiting {
  return {
    latestMs: Math.max(one.latestMs, other.latestMs),
    latestOfItselfMs: Math.max(one.latestOfItselfMs, other.latestOfItselfMs),
    idleServersLatestMs: Math.max(one.idleServersLatestMs, other.idleServersLatestMs),
    longestBusyMs: Math.max(one.longestBusyMs, other.longestBusyMs),
    longest: one.longest.delayMs > other.longest.delayMs ? one.longest : other.longest,
  };
}

/** Later than this is heard as a fault. */
const latestFrameLimitMs = 50;

/** The part of that lateness for which the service is responsible. */
export function isAnyFrameLate({ rounds }: Figures): boolean {
  return rounds.some(({ waiting }) => waiting.latestOfItselfMs > latestFrameLimitMs);
}

/** What the service keeps after its garbage was collected, beyond what it kept before. Resident memory shows only its past peak. */
export function memoryLeft({ memoryBefore: before, rounds }: Figures): number {
  const after = rounds.at(-1)?.memory ?? before;
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;

export function waitingLines(waiting: Waiting): readonly string[] {
  const { latestMs: latest, latestOfItselfMs: own, idleServersLatestMs: idle, longestBusyMs, longest } = waiting;
  const parts = `busy ${ms(longest.busyMs)}, collecting garbage ${ms(longest.collectingMs)}, without a processor ${ms(longest.queuedMs)}`;
  return [
    `latest frame of another caller ${ms(latest)}: ${ms(own)} without the machine's part (an idle server's ${ms(idle)})`,
    `service busy for ${ms(longestBusyMs)} at most; its loop late by ${ms(longest.delayMs)} (${parts})`,
  ];
}

export function memoryLine({ heapUsed, external, rss }: Memory): string {
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `heap ${megabytes(heapUsed)}, external ${megabytes(external)}, resident ${megabytes(rss)}`;
}

export function figuresTable(figures: Figures): string {
  return [
    `inputs                            ${figures.inputs}`,
    `unforeseen failures               ${figures.unforeseen.length}`,
    `unauthorised accesses             ${figures.unauthorisedAccesses.length}`,
    `refused sockets that stayed open  ${figures.openSocketsLeft}`,
    `memory before                     ${memoryLine(figures.memoryBefore)}`,
    `before the attack                 ${waitingLines(figures.idle)[0]}`,
    ...figures.rounds.flatMap(({ waiting, memory }, at) => [
      `round ${at + 1}`,
      ...waitingLines(waiting).map((line) => `  ${line}`),
      `  memory after: ${memoryLine(memory)}`,
    ]),
    ...figures.unforeseen.slice(0, 20).map((one) => `  unforeseen: ${one}`),
    ...figures.unauthorisedAccesses.map((one) => `  let in: ${one}`),
  ].join("\n");
}
