/**
 * Takes what is due to one receiver out of the outbox, one attempt of a delivery at a time over all hosts: a host has a
 * delivery for longer than its attempt may take.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import type { TakenDelivery, WebhookOutbox } from "@voice/shared/state/ports/webhook-outbox";

export interface OutboxQueueParts {
  readonly outbox: Pick<WebhookOutbox, "take">;
  /** The queue takes nothing more. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pollMs = 1000;
const sentences = {
  failing: "the outbox of webhooks could not be read",
  over: "the outbox of webhooks is read again",
};
/** To one receiver at once. */
const batch = 8;
/** A delivery whose host died is due again then. */
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

/** Undefined after the last attempt. `random` is uniform in [0, 1): many deliveries do not come back at the same moment. */
export function retryPauseMs(attempt: number, random: number): number | undefined {
  const pauseMs = retryPausesMs[attempt - 1];
  return pauseMs === undefined ? undefined : pauseMs * (0.9 + 0.2 * random);
}

/** Delivers until the signal. Then the returned function resolves when the last delivery is over. `deliver` never rejects. */
export function serveQueue(
  receiver: string,
  deliver: (delivery: TakenDelivery, takenAtMs: number) => Promise<void>,
  { outbox, signal, clock, logger }: OutboxQueueParts,
): () => Promise<void> {
  let cancelPoll: CancelTimer = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const reading = createOutageLog(logger, sentences, { receiver });

  function pollIn(delayMs: number): void {
    if (!signal.aborted) cancelPoll = clock.setTimer(delayMs, () => void (running = poll()));
  }

  async function poll(): Promise<void> {
    let isMore = false;
    try {
      const taken = await outbox.take(receiver, batch, leaseMs);
      const takenAtMs = clock.now();
      reading.worked();
      await Promise.all(taken.map((delivery) => deliver(delivery, takenAtMs)));
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
