/**
 * Does what is due in a queue of work, one attempt at a piece at a time over all hosts: a host has a piece for longer than its
 * attempt may take.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog, type OutageSentences } from "@voice/shared/platform/outage-log";

export interface ServedQueue<Taken> {
  /** Each piece that is taken is this process's until the lease is over. */
  take(limit: number, leaseMs: number): Promise<readonly Taken[]>;
  /** Never rejects. */
  handle(taken: Taken, takenAtMs: number): Promise<void>;
  /** What the log says while the queue cannot be read. */
  readonly sentences: OutageSentences;
}

const pollMs = 1000;
/** How many pieces of one queue are worked on at once. */
const batch = 8;
/** A piece whose host died is due again then. */
export const leaseMs = 60_000;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** The pauses after each attempt: sixteen hours altogether, in which the transcript can still be fetched. */
export const retryPausesMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
] as const;

/** Whoever is to know that the other side is away hears of it when this attempt has failed, about 13 minutes after the first. */
export const lateAttempt = 5;

/** Undefined after the last attempt. `random` is uniform in [0, 1): many pieces do not come back at the same moment. */
export function retryPauseMs(attempt: number, random: number): number | undefined {
  const pauseMs = retryPausesMs[attempt - 1];
  return pauseMs === undefined ? undefined : pauseMs * (0.9 + 0.2 * random);
}

/** Works until the signal. Then the returned function resolves when the last piece is over. */
export function serveWork<Taken>(
  { take, handle, sentences }: ServedQueue<Taken>,

  /** Nothing more is taken. */
  signal: AbortSignal,
  clock: Clock,
  logger: Logger,
): () => Promise<void> {
  let cancelPoll: CancelTimer = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const reading = createOutageLog(logger, sentences);

  function pollIn(delayMs: number): void {
    if (!signal.aborted) cancelPoll = clock.setTimer(delayMs, () => void (running = poll()));
  }

  async function poll(): Promise<void> {
    let isMore = false;
    try {
      const taken = await take(batch, leaseMs);
      const takenAtMs = clock.now();
      reading.worked();
      await Promise.all(taken.map((piece) => handle(piece, takenAtMs)));
      isMore = taken.length === batch;
    } catch (error) {
      reading.failed(error);
    }
    pollIn(isMore ? 0 : pollMs);
  }

  pollIn(0);
  return () => {
    cancelPoll();
    return running;
  };
}
