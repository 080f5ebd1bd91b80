/**
 * A realtime session that outlives its connection: audio waits while it opens, and when the service ends it another is
 * opened within the retry budget, told what was said, and given the words again that the last one had not transcribed.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { audioGapMs, watchForAudioGap } from "../listening/audio-gap.ts";
import { createReplayBuffer } from "../listening/replay-buffer.ts";
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
  /** Resolves when no tool runs any more whose result belongs to it: the model would ask for it again. */
  readonly history: () => Promise<readonly RealtimeHistoryItem[]>;
  readonly retry: RetrySettings;
  /** How long there may be no connection, attempts and waits together. */
  readonly patienceMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  readonly onEvent: (event: RealtimeEvent) => void;
  /** A connection is open and knows the history; `isFirst` tells the beginning from a reconnection. */
  readonly onOpened: (isFirst: boolean) => void;
  /** The connection is gone; another is opened, or `onLost` follows. */
  readonly onDropped: () => void;
  readonly onLost: (error: VoiceError) => void;
}

export interface SupervisedRealtime {
  appendAudio(samples: Int16Array): void;
  /** Runs on the open connection. False while there is none: what is meant for now has no meaning later. */
  use(action: (session: RealtimeSession) => void): boolean;
  /** Milliseconds of audio the current connection was given. */
  readonly appendedMs: number;
  /** The caller has said something whose transcript has not come yet. */
  readonly hearsWords: boolean;
  /** What nobody has understood yet: words whose transcript has not come, and what came while there was no connection. */
  readonly unheard: readonly Int16Array[];
  close(): void;
}

export function superviseRealtime(options: SupervisedRealtimeOptions): SupervisedRealtime {
  const { clock, logger } = options;
  const closed = new AbortController();
  const replay = createReplayBuffer();
  /** The item that the caller's words since the last transcript belong to. */
  let openItem: string | undefined;
  let session: RealtimeSession | undefined;
  let appendedSamples = 0;
  const gap = watchForAudioGap(clock, () => appendedSamples, fillGap);
  let sampleRateHz = options.settings().sampleRateHz;
  let opened = 0;
  let generation = 0;
  let cancelPatience: CancelTimer | undefined;

  async function open(): Promise<void> {
    const mine = ++generation;
    const isCurrent = (): boolean => mine === generation && !closed.signal.aborted;
    const settings = options.settings();
    const next = await options.model.open(
      settings,
      {
        onEvent: (event) => {
          if (isCurrent()) take(event);
        },
        onEnded: (error) => {
          if (isCurrent()) drop(error);
        },
      },
      closed.signal,
    );
    if (isCurrent()) cancelPatience?.();
    const history = isCurrent() ? await options.history() : [];
    if (!isCurrent()) {
      next.close();
      return;
    }
    sampleRateHz = settings.sampleRateHz;
    session = next;
    appendedSamples = 0;
    reopening.opened();
    if (history.length > 0) next.remember(history);
    for (const samples of replay.frames) append(next, samples);
    options.onOpened(opened++ === 0);
  }

  function take(event: RealtimeEvent): void {
    if (event.type === "speech-started") {
      openItem = event.itemId;
      gap.begin();
    }
    if (event.type === "speech-stopped") gap.end();
    if (event.type === "user-transcript" && event.isFinal && event.itemId === openItem) {
      openItem = undefined;
      replay.markFinal(0);
    }
    options.onEvent(event);
  }

  function append(target: RealtimeSession, samples: Int16Array): void {
    appendedSamples += samples.length;
    target.appendAudio(samples);
  }

  /** TURN-15: what does not come is silence; the service waits for it before it answers. */
  function fillGap(): void {
    if (session === undefined) return;
    append(session, new Int16Array((sampleRateHz * audioGapMs) / 1000));
    gap.begin();
  }

  function drop(error: VoiceError): void {
    gap.end();
    generation++; // whatever the old session still says is not for us
    session?.close();
    session = undefined;
    beImpatient();
    options.onDropped();
    reopening.lost(error);
  }

  function beImpatient(): void {
    cancelPatience?.();
    cancelPatience = clock.setTimer(options.patienceMs, () =>
      lose(new VoiceError("upstream_timeout", `there was no realtime model for ${options.patienceMs} ms`)),
    );
  }

  function close(): void {
    if (closed.signal.aborted) return;
    closed.abort();
    cancelPatience?.();
    gap.end();
    session?.close();
    session = undefined;
  }

  function lose(error: VoiceError): void {
    if (closed.signal.aborted) return;
    close();
    options.onLost(error);
  }

  const reopening = createReopening({
    what: "realtime model",
    retry: options.retry,
    clock,
    logger,
    random: options.random,
    closed: closed.signal,
    open,
    onLost: lose,
  });
  beImpatient();
  reopening.start();

  return {
    appendAudio(samples) {
      replay.push(samples);
      if (session === undefined) return;
      append(session, samples);
      if (openItem === undefined) replay.trim();
    },
    use(action) {
      if (session === undefined) return false;
      action(session);
      return true;
    },
    get appendedMs() {
      return (appendedSamples * 1000) / sampleRateHz;
    },
    get hearsWords() {
      return openItem !== undefined;
    },
    get unheard() {
      return openItem === undefined && session !== undefined ? [] : replay.frames;
    },
    close,
  };
}
