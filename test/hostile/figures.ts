/** What the suite counted and measured. */
import type { Probe } from "./target.ts";

export interface Figures {
  inputs: number;
  /** Answers of 500, and sockets that ended with 1011: something was not foreseen. */
  unforeseen: string[];
  unauthorisedAccesses: string[];
  /** How late a frame came to another caller, under attack, and before it. */
  latestFrameMs: number;
  idleLatestFrameMs: number;
  /** The longest that the service's main thread was busy in one go: of a late frame, what is the service's own doing. */
  longestBusyMs: number;
  openSocketsLeft: number;
  memoryBefore: Probe;
  memoryAfter: Probe;
}

const nothing: Probe = { longestBusyMs: 0, heapUsed: 0, external: 0, rss: 0 };

export function newFigures(): Figures {
  return {
    inputs: 0,
    unforeseen: [],
    unauthorisedAccesses: [],
    latestFrameMs: 0,
    idleLatestFrameMs: 0,
    longestBusyMs: 0,
    openSocketsLeft: 0,
    memoryBefore: nothing,
    memoryAfter: nothing,
  };
}

/** What the service keeps after its garbage was collected, beyond what it kept before. Resident memory is what it once needed. */
export function memoryLeft({ memoryBefore: before, memoryAfter: after }: Figures): number {
  return after.heapUsed + after.external - before.heapUsed - before.external;
}

export function figuresTable(figures: Figures): string {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    `inputs                                ${figures.inputs}`,
    `unforeseen failures                   ${figures.unforeseen.length}`,
    `unauthorised accesses                 ${figures.unauthorisedAccesses.length}`,
    `latest frame of another caller        ${ms(figures.latestFrameMs)} (idle before: ${ms(figures.idleLatestFrameMs)})`,
    `longest that the service was busy     ${ms(figures.longestBusyMs)}`,
    `refused sockets that stayed open      ${figures.openSocketsLeft}`,
    `memory before                         ${memoryOf(figures.memoryBefore)}`,
    `memory after                          ${memoryOf(figures.memoryAfter)}`,
    ...figures.unforeseen.slice(0, 20).map((one) => `  unforeseen: ${one}`),
    ...figures.unauthorisedAccesses.map((one) => `  let in: ${one}`),
  ].join("\n");
}

export function memoryOf({ heapUsed, external, rss }: Probe): string {
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `heap ${megabytes(heapUsed)}, external ${megabytes(external)}, resident ${megabytes(rss)}`;
}
