/**
 * TRANSCRIPTION mode: what the caller says, written down as it is said; the agent stays silent. The words come from our
 * recogniser, or from the communication service's own when the peer sends those instead of audio.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { Listener, ListenerEvents } from "../pipeline/listening/listener.ts";
import type { RecognitionHints } from "../providers/ports/recogniser.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import type { SessionNotice, Transport } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import { createLevelMeter } from "./level-meter.ts";
import type { LiveSession } from "./live-session.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import { recognitionHints } from "./recognition-hints.ts";
import { leaveConversation } from "./leave-conversation.ts";
import { sessionNotice } from "./session-notice.ts";

export interface TranscriptionSessionOptions {
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly resumed: boolean;
  readonly createListener: (hints: RecognitionHints, events: ListenerEvents) => Listener;
  /** Whom the session is bound to. */
  readonly callerName?: (() => string | undefined) | undefined;
  /** Of the caller alone: nobody answers. */
  readonly recorder: SessionRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publish: (notice: SessionNotice) => void;
}

interface Heard {
  readonly text: string;
  readonly isFinal: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly language?: string;
}

export function startTranscriptionSession(options: TranscriptionSessionOptions): LiveSession {
  const { transport, conversation, clock, logger, recorder } = options;
  const ended = Promise.withResolvers<string>();
  let segments = conversation.turnCount;
  let paused = false;
  let closing: Promise<void> | undefined;
  /** The peer's own service writes down what is said; hearing the audio as well would write it twice. */
  let peerTranscribes = false;

  function notify(notice: SessionNotice): void {
    if (closing !== undefined) return;
    transport.notify(notice);
    options.publish(notice);
  }

  function onHeard({ text, isFinal, startMs, endMs, language }: Heard): void {
    if (text === "") return;
    const turnId = `turn-${segments + 1}`;
    notify({
      type: "transcript",
      payload: {
        text,
        is_final: isFinal,
        speaker: "user",
        turn_id: turnId,
        start_ms: startMs,
        end_ms: endMs,
        language,
      },
    });
    if (!isFinal) return;
    segments++;
    const { name: agent } = conversation.agent;
    conversation.append([
      { role: "user", content: text, agent, turnId, timestampMs: clock.wallNow(), interrupted: false },
    ]);
  }

  function record(text: string, startedAtMs: number, endedAtMs: number): void {
    if (text !== "") recorder.callerSaid({ text, turnId: `turn-${segments + 1}`, startedAtMs, endedAtMs });
  }

  const listener = options.createListener(recognitionHints(conversation, options.callerName), {
    onSpeechStarted: () => undefined,
    onSpeechStopped: () => undefined,
    onPartial: (partial) => onHeard({ ...partial, isFinal: false }),
    onFinal(final, endedMs) {
      record(final.text, endedMs - (final.endMs - final.startMs), endedMs);
      onHeard({ ...final, isFinal: true });
    },
    onRecogniserLost(error) {
      logger.error({ error, code: error.code }, "the recogniser is lost");
      notify({ type: "error", payload: { code: error.code, message: "Speech recognition is not available." } });
      ended.resolve("recogniser_lost");
    },
  });
  const levels = createLevelMeter(clock, (payload) => notify({ type: "audio_levels", payload }));

  async function shutDown(reason: CloseReason | undefined): Promise<void> {
    listener.close();
    levels.close();
    await leaveConversation(conversation, transport, { reason, isQuiet: true });
    ended.resolve(reason ?? "replaced");
  }

  notify(sessionNotice(conversation, transport, options.resumed));

  return {
    conversation,
    get hasBegun() {
      return segments > 0;
    },
    onAudio(samples) {
      if (paused || closing !== undefined) return;
      if (!peerTranscribes) listener.write(samples);
      levels.input(listener.level);
      recorder.callerAudio(samples);
    },
    onWholeTurn(text) {
      record(text, clock.now(), clock.now());
      onHeard({ text, isFinal: true, startMs: 0, endMs: 0 });
    },
    onKeyPressed: () => undefined, // nobody is waited for
    onCallerFinished: () => listener.flush(),
    onTranscript(transcript) {
      peerTranscribes = true;
      // The peer counts from the start of the call, whose beginning we have not heard; the words end about now.
      const now = clock.now();
      if (transcript.isFinal) record(transcript.text, now - (transcript.endMs - transcript.startMs), now);
      onHeard(transcript);
    },
    setPaused(isPaused) {
      paused = isPaused;
    },
    isQuiet: true,
    sayFarewell: (reason) => ended.resolve(reason),
    onMachine: () => undefined, // nothing is answered in any case
    sayAndEnd: (_text, reason) => ended.resolve(reason),
    close: (reason) => (closing ??= shutDown(reason)),
    ended: ended.promise,
  };
}
