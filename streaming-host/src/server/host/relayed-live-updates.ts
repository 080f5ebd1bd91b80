/**
 * Sends live updates to an external relay as well, in order per session. The relay never slows us down: updates that it
 * cannot take in time are dropped.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, type VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createOutageLog } from "@voice/shared/platform/outage-log";
import { pause } from "@voice/shared/platform/pause";
import type { LiveUpdate, LiveUpdates } from "@voice/shared/state/ports/live-updates";
import type { LiveRelay } from "@voice/provider-kit/ports/live-relay";
import { isLevelUpdate } from "../../transports/level-update.ts";

export interface RelayedLiveUpdatesOptions {
  /** Closed by whoever has created them. */
  readonly liveUpdates: LiveUpdates;
  readonly relay: LiveRelay;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The relay begins to fail. */
  readonly onOutage?: (error: VoiceError) => void;
  /** How many updates of all sessions together may be waiting or in progress. */
  readonly maxWaiting?: number;
}

/** About what a hundred busy sessions publish in a minute, without levels. */
const defaultMaxWaiting = 2000;

/** As long as one update may take: how conversations ended is still delivered, and a relay that hangs holds nobody up. */
const closingMs = 3000;

interface Lane {
  readonly waiting: LiveUpdate[];
  delivered: Promise<void>;
}

export interface RelayedLiveUpdates extends LiveUpdates {
  /** Waits a little for what is still to be relayed. The live updates behind it stay open. */
  close(): Promise<void>;
}

export function relayLiveUpdates(options: RelayedLiveUpdatesOptions): RelayedLiveUpdates {
  const { liveUpdates, relay, logger, clock, onOutage, maxWaiting = defaultMaxWaiting } = options;
  /** A session has one as long as one of its updates is being delivered. */
  const lanes = new Map<string, Lane>();
  const outage = createOutageLog(logger, {
    failing: "the live relay does not accept updates",
    over: "the live relay accepts updates again",
  });
  let waiting = 0;
  let dropped = 0;
  let isFailing = false;
  let isClosed = false;
  let isGivenUp = false;

  function offer(update: LiveUpdate): void {
    const lane = lanes.get(update.sessionId);
    if (lane !== undefined && isLevelUpdate(update.text)) dropWaitingLevel(lane);
    if (isClosed || waiting >= maxWaiting) {
      dropped++;
      return;
    }
    waiting++;
    if (lane !== undefined) {
      lane.waiting.push(update);
      return;
    }
    const opened: Lane = { waiting: [update], delivered: Promise.resolve() };
    lanes.set(update.sessionId, opened);
    opened.delivered = deliverAll(update.sessionId, opened.waiting);
  }

  /** A level that comes late shows nothing, and makes the words after it late; only the latest one is kept. */
  function dropWaitingLevel(lane: Lane): void {
    const outdated = lane.waiting.findIndex(({ text }) => isLevelUpdate(text));
    if (outdated === -1) return;
    lane.waiting.splice(outdated, 1);
    waiting--;
    dropped++;
  }

  async function deliverAll(sessionId: string, updates: LiveUpdate[]): Promise<void> {
    for (let next = updates.shift(); next !== undefined; next = updates.shift()) {
      if (isGivenUp) dropped++;
      else await deliver(next);
      waiting--;
    }
    lanes.delete(sessionId);
  }

  async function deliver(update: LiveUpdate): Promise<void> {
    try {
      await relay.send(update);
      outage.worked();
      isFailing = false;
    } catch (error) {
      dropped++;
      outage.failed(error);
      if (!isFailing) onOutage?.(toVoiceError(error));
      isFailing = true;
    }
  }

  return {
    publish(update) {
      liveUpdates.publish(update);
      offer(update);
    },
    // The relay does not say who is listening, and takes a request for each group: meters move slowly there.
    isWatched: (sessionId) => liveUpdates.isWatched(sessionId),
    watch: (target, listener) => liveUpdates.watch(target, listener),
    get droppedCount() {
      return liveUpdates.droppedCount + dropped;
    },
    async close() {
      isClosed = true;
      const delivered = new AbortController();
      void Promise.all([...lanes.values()].map((lane) => lane.delivered)).then(() => delivered.abort());
      await pause(clock, closingMs, delivered.signal);
      isGivenUp = true;
    },
  };
}
