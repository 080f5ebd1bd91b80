/** What makes a measurement worthless although nothing in it looks wrong: a machine that is not quiet, or callers who are late themselves. */
import type { Reading } from "./load-process.ts";

export interface Disturbance {
  /** For how long at least the server waited for a processor that other programs had. 0 where the system does not say. */
  readonly starvedMs: number;
  /** By how much the callers' process was late at worst, which the server's answers then seem to be. */
  readonly callersLateMs: number;
}

/** In a hundredth of the time anything can be late; a caller sends every 20 ms. */
const mostStarvedShare = 0.01;
const mostLateMs = 5;

type Times = Pick<Reading, "cpuMs" | "ranMs" | "queuedMs">;

/** The server's main thread also waits for its other threads, on a core that they share; at most for as long as those have run. */
export function starvedBetween(from: Times, to: Times): number {
  const ofOtherThreadsMs = to.cpuMs - from.cpuMs - (to.ranMs - from.ranMs);
  return Math.max(0, to.queuedMs - from.queuedMs - Math.max(0, ofOtherThreadsMs));
}

/** A warning, if there is reason for one. */
export function describeDisturbance({ starvedMs, callersLateMs }: Disturbance, windowMs: number): string | undefined {
  const parts = [
    ...(starvedMs > windowMs * mostStarvedShare
      ? [`the server waited ${starvedMs.toFixed(0)} ms for a processor that other programs had`]
      : []),
    ...(callersLateMs > mostLateMs ? [`the callers were late by up to ${callersLateMs.toFixed(0)} ms`] : []),
  ];
  return parts.length === 0 ? undefined : `Not quiet: ${parts.join(", and ")}.`;
}

/** Calls `tick` every millisecond, and remembers how late it was. */
export class CallersClock {
  worstMs = 0;
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();

  constructor(tick: (nowMs: number) => void) {
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.worstMs = Math.max(this.worstMs, nowMs - this.#lastMs - everyMs);
      this.#lastMs = nowMs;
      tick(nowMs);
    }, everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

const everyMs = 1;
