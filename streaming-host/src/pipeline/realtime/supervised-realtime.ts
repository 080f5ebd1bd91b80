/**
 * A realtime session that outlives its connection: audio waits while it opens, and when the service ends it another is
 * opened within the retry budget and told what was said.
 */
import { backoffDelayMs } from "@voice/shared/platform/backoff";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
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
const healthyAfterMs = 10_000;

export function superviseRealtime(options: SupervisedRealtimeOptions): SupervisedRealtime {
  const { clock, logger } = options;
  const closed = new AbortController();
  let waiting: Int16Array[] = [];
  let session: RealtimeSession | undefined;
  let appendedSamples = 0;
  let sampleRateHz = options.settings().sampleRateHz;
  let attempt = 0;
  let openedAtMs = 0;
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
          if (isCurrent()) recover(error);
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
    openedAtMs = clock.now();
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

  function recover(error: VoiceError): void {
    session?.close();
    session = undefined;
    if (opened > 0 && clock.now() - openedAtMs > healthyAfterMs) attempt = 0;
    if (!error.retryable || attempt >= options.retry.maxAttempts) {
      generation++;
      options.onLost(error);
      return;
    }
    const delayMs = backoffDelayMs(attempt++, options.retry, options.random());
    logger.warn({ code: error.code, attempt, delayMs }, "realtime model lost, opening another session");
    const cancel = clock.setTimer(delayMs, start);
    closed.signal.addEventListener("abort", cancel, { once: true });
  }

  function start(): void {
    open().catch((error: unknown) => {
      if (!isAbort(error) && !closed.signal.aborted) recover(toVoiceError(error));
    });
  }

  start();

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
