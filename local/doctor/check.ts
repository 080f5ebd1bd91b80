/** One assumption that the service makes about its environment, and how to verify it. */
import type { Clock } from "@voice/shared/platform/clock";
import { problemOf } from "./problem-of.ts";

export interface Check {
  readonly name: string;
  /** The advice for a failure that brings no advice of its own. */
  readonly advice: string;
  /** Resolves to what was seen. Rejects with an `CheckFailure`, or with whatever the adapter rejected with. */
  run(signal: AbortSignal): Promise<string>;
}

/** A failure with advice of its own. */
export class CheckFailure extends Error {
  readonly advice: string;

  constructor(problem: string, advice: string) {
    super(problem);
    this.name = "CheckFailure";
    this.advice = advice;
  }
}

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen, or what is wrong. */
  readonly detail: string;
  /** What to do; only where something is wrong. */
  readonly advice?: string;
  readonly tookMs: number;
}

/** Longer than a cold start of a service, and short enough for a person to wait; all checks run in parallel. */
const longestMs = 20_000;

export async function runChecks(checks: readonly Check[], clock: Clock): Promise<readonly Finding[]> {
  return Promise.all(checks.map((check) => runCheck(check, clock)));
}

async function runCheck(check: Check, clock: Clock): Promise<Finding> {
  const { name } = check;
  const startedAt = clock.now();
  const tookMs = (): number => Math.round(clock.now() - startedAt);
  const limit = new AbortController();
  let cancel = (): void => undefined;
  // An adapter that ignores its signal must not delay the report.
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimer(longestMs, () => {
      limit.abort();
      reject(new CheckFailure(`no answer within ${longestMs / 1000} s`, check.advice));
    });
  });
  try {
    return { name, ok: true, detail: await Promise.race([check.run(limit.signal), tooLate]), tookMs: tookMs() };
  } catch (error) {
    const advice = error instanceof CheckFailure ? error.advice : check.advice;
    return { name, ok: false, detail: problemOf(error), advice, tookMs: tookMs() };
  } finally {
    cancel();
  }
}
