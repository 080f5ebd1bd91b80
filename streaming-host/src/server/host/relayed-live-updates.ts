/**
 * Sends live updates to an external relay as well, in order per session. The relay never slows us down: updates that it
 * cannot take in time are dropped.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { LiveUpdate, LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";

export interface RelayedLiveUpdatesOptions {
  readonly liveUpdates: LiveUpdates;
  readonly relay: LiveRelay;
  readonly logger: Logger;
  /** How many updates of all sessions together may be waiting or in progress. */
  readonly maxWaiting?: number;
}

/** About what a hundred busy sessions publish in two seconds. */
const defaultMaxWaiting = 2000;

export function relayLiveUpdates(options: RelayedLiveUpdatesOptions): LiveUpdates {
  const { liveUpdates, relay, logger, maxWaiting = defaultMaxWaiting } = options;
  /** The waiting updates by session. A session is listed as long as one of its updates is being delivered. */
  const lanes = new Map<string, LiveUpdate[]>();
  let waiting = 0;
  let dropped = 0;
  let isFailing = false;
  let isClosed = false;

  function offer(update: LiveUpdate): void {
    if (isClosed || waiting >= maxWaiting) {
      dropped++;
      return;
    }
    waiting++;
    const lane = lanes.get(update.sessionId);
    if (lane !== undefined) {
      lane.push(update);
      return;
    }
    const opened = [update];
    lanes.set(update.sessionId, opened);
    void deliverAll(update.sessionId, opened);
  }

  async function deliverAll(sessionId: string, lane: LiveUpdate[]): Promise<void> {
    for (let next = lane.shift(); next !== undefined; next = lane.shift()) {
      if (!isClosed) await deliver(next);
      waiting--;
    }
    lanes.delete(sessionId);
  }

  async function deliver(update: LiveUpdate): Promise<void> {
    try {
      await relay.send(update);
      if (isFailing) logger.info({ dropped }, "the live relay accepts updates again");
      isFailing = false;
    } catch (error) {
      dropped++;
      if (!isFailing) logger.warn({ error, code: toVoiceError(error).code }, "the live relay does not accept updates");
      isFailing = true;
    }
  }

  return {
    publish(update) {
      liveUpdates.publish(update);
      offer(update);
    },
    // The relay does not say who is listening.
    isWatched: () => true,
    watch: (target, listener) => liveUpdates.watch(target, listener),
    get droppedCount() {
      return liveUpdates.droppedCount + dropped;
    },
    async close() {
      isClosed = true;
      await liveUpdates.close();
    },
  };
}
