/**
 * Reports the levels of both sides, at most ten times a second (FR-6) and only while there is something to show. While the agent is
 * audible, reports are made just before its frames are sent, so that both share one write: a write costs ten times as much as the report.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

const intervalMs = 100;
/** The agent's frames are 20 ms apart and may come 20 ms late. */
const agentGapMs = 50;
/** -60 dB: below this level a meter shows nothing. */
const audibleLevel = 0.001;

interface Levels {
  readonly input: number;
  readonly output: number;
}

export class LevelMeter {
  readonly #clock: Clock;
  readonly #report: (levels: Levels) => void;
  #input = 0;
  #output = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #agentHeardAtMs = Number.NEGATIVE_INFINITY;
  #wasSilent = true;
  #cancelFall: CancelTimer | undefined;

  constructor(clock: Clock, report: (levels: Levels) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  input(level: number): void {
    this.#input = Math.max(this.#input, level);
    const now = this.#clock.now();
    if (now - this.#agentHeardAtMs >= agentGapMs) this.#consider(now);
  }

  output(level: number): void {
    this.#output = Math.max(this.#output, level);
    const now = this.#clock.now();
    const isFirst = now - this.#agentHeardAtMs >= agentGapMs;
    this.#agentHeardAtMs = now;
    if (!isFirst) this.#consider(now); // the first frame of a reply is not delayed
  }

  close(): void {
    this.#cancelFall?.();
    this.#cancelFall = undefined;
  }

  #consider(now: number): void {
    if (now - this.#reportedAtMs < intervalMs) return;
    const isSilent = this.#input < audibleLevel && this.#output < audibleLevel;
    this.#reportedAtMs = now;
    if (!(isSilent && this.#wasSilent)) this.#report({ input: round(this.#input), output: round(this.#output) });
    this.#wasSilent = isSilent;
    this.#input = 0;
    this.#output = 0;
    if (!isSilent && this.#cancelFall === undefined) this.#awaitFall();
  }

  /** Reports silence once both sides have stopped sending; otherwise meters would freeze at the last level. */
  #awaitFall(): void {
    this.#cancelFall = this.#clock.setTimer(2 * intervalMs, () => {
      this.#cancelFall = undefined;
      const now = this.#clock.now();
      // This is too soon after the previous report, which may have been the last one.
      if (now - this.#reportedAtMs < intervalMs) this.#awaitFall();
      else this.#consider(now);
    });
  }
}

function round(level: number): number {
  return Math.round(level * 1000) / 1000;
}
