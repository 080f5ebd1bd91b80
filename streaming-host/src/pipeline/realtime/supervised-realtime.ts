/**
 * A realtime session that outlives its connection: audio waits while it opens, and when the service ends it another is
 * opened within the retry budget and told what was said.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createReopening } from "../reopening.ts";
import type {
  RealtimeEvent,
  RealtimeHistoryItem,
  RealtimeModel,
  RealtimeSession,
  RealtimeSettings,
} from "../../providers/ports/realtime-model.ts";

export interface SupervisedRealtimeOptions {
  readonly model: RealtimeModel;
  /** As they are when a connection opens: another agent may have taken over meanwhile. */
  readonly settings: () => RealtimeSettings;
  readonly history: () => readonly RealtimeHistoryItem[];
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly onEvent: (event: RealtimeEvent) => void;
  /** A connection is open and knows the history; `isFirst` tells the beginning from a reconnection. */
  readonly onOpened: (isFirst: boolean) => void;
  readonly onLost: (error: VoiceError) => void;
}

export interface SupervisedRealtime {
  appendAudio(samples: Int16Array): void;
  /** Runs on the open connection. False while there is none: what is meant for now has no meaning later. */
  use(action: (session: RealtimeSession) => void): boolean;
  /** Milliseconds of audio the current connection was given. */
  readonly appendedMs: number;
  close(): void;
}

/** What the caller may say while a connection opens: 5 s in 20 ms frames. */
const maxWaitingFrames = 250;

export function superviseRealtime(options: SupervisedRealtimeOptions): SupervisedRealtime {
  const { clock, logger } = options;
  const closed = new AbortController();
  let waiting: Int16Array[] = [];
  let session: RealtimeSession | undefined;
  let appendedSamples = 0;
  let sampleRateHz = options.settings().sampleRateHz;
  let opened = 0;
  let generation = 0;

  async function open(): Promise<void> {
    const mine = ++generation;
    const isCurrent = (): boolean => mine === generation && !closed.signal.aborted;
    const settings = options.settings();
    const next = await options.model.open(
      settings,
      {
        onEvent: (event) => {
          if (isCurrent()) options.onEvent(event);
        },
        onEnded: (error) => {
          if (isCurrent()) drop(error);
        },
      },
      closed.signal,
    );
    if (!isCurrent()) {
      next.close();
      return;
    }
    sampleRateHz = settings.sampleRateHz;
    session = next;
    appendedSamples = 0;
    reopening.opened();
    const history = options.history();
    if (history.length > 0) next.remember(history);
    for (const samples of waiting) append(next, samples);
    waiting = [];
    options.onOpened(opened++ === 0);
  }

  function append(target: RealtimeSession, samples: Int16Array): void {
    appendedSamples += samples.length;
    target.appendAudio(samples);
  }

  function drop(error: VoiceError): void {
    generation++; // whatever the old session still says is not for us
    session?.close();
    session = undefined;
    reopening.lost(error);
  }

  const reopening = createReopening({
    what: "realtime model",
    retry: options.retry,
    clock,
    logger,
    random: options.random,
    closed: closed.signal,
    open,
    onLost: (error) => options.onLost(error),
  });
  reopening.start();

  return {
    appendAudio(samples) {
      if (session !== undefined) append(session, samples);
      else if (waiting.length < maxWaitingFrames) waiting.push(samples);
    },
    use(action) {
      if (session === undefined) return false;
      action(session);
      return true;
    },
    get appendedMs() {
      return (appendedSamples * 1000) / sampleRateHz;
    },
    close() {
      if (closed.signal.aborted) return;
      closed.abort();
      session?.close();
      session = undefined;
    },
  };
}
