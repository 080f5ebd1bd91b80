/**
 * The ear of a session: PCM in at the transport's rate, speech and text events out on the session's clock. Every 20 ms
 * frame passes here (FR-2); nothing on this path waits, logs or allocates beyond the frame.
 */
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import { createFramer } from "../../audio/framing.ts";
import { rmsLevel } from "../../audio/levels.ts";
import { createResampler } from "../../audio/resample.ts";
import type { RecognisedText, RecognitionHints, Recogniser } from "../../providers/ports/recogniser.ts";
import { vadFrameMs } from "../../providers/ports/voice-activity.ts";
import type { CreateVoiceActivityDetector, VadSensitivity } from "../../providers/ports/voice-activity.ts";
import { audioGapMs, watchForAudioGap } from "./audio-gap.ts";
import { createEchoGuard } from "./echo-guard.ts";
import { createSpeechDetector, framesToMs } from "./speech-detector.ts";
import { superviseRecognition } from "./supervised-recognition.ts";

/** What recognisers are trained on and detectors are tuned for. */
export const listeningRateHz = 16_000;

export interface ListenerEvents {
  onSpeechStarted(sinceMs: number): void;
  onSpeechStopped(stoppedMs: number): void;
  onPartial(text: RecognisedText): void;
  /** `endedMs` is on the session's clock, `text.endMs` in the session's audio. */
  onFinal(text: RecognisedText, endedMs: number): void;
  onRecogniserLost(error: VoiceError): void;
}

export interface ListenerOptions {
  readonly inputRateHz: number;
  readonly recogniser: Recogniser;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  readonly sensitivity: VadSensitivity;
  readonly language: string;
  readonly candidateLanguages: readonly string[];
  readonly segmentationSilenceMs: number;
  readonly hints: RecognitionHints;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
}

export interface Listener {
  write(samples: Int16Array): void;
  flush(): void;
  setHints(hints: RecognitionHints): void;
  /** What the caller hears of the agent: it may come back (BARGE-10). */
  hearAgent(frame: Int16Array, sampleRateHz: number, playsAtMs: number): void;
  /** While the agent is audible, it takes more to be taken for a caller. */
  setAgentAudible(isAudible: boolean): void;
  /** Loudness of the newest frame, 0 to 1. */
  readonly level: number;
  close(): void;
}

export function createListener(options: ListenerOptions, events: ListenerEvents): Listener {
  const { clock } = options;
  const resampler = createResampler(options.inputRateHz, listeningRateHz);
  const framer = createFramer((listeningRateHz * vadFrameMs) / 1000);
  const voiceActivity = options.createVoiceActivityDetector({
    sampleRateHz: listeningRateHz,
    sensitivity: options.sensitivity,
  });
  const detector = createSpeechDetector(options.sensitivity);
  const guard = createEchoGuard();
  let heardMs = 0;
  let agentIsAudible = false;
  let level = 0;
  let closed = false;

  /** Audio arrives in real time, so the newest frame is now and an offset lies as far back as its audio does. */
  const toClockMs = (audioMs: number): number => clock.now() - Math.max(0, heardMs - audioMs);

  const gap = watchForAudioGap(clock, () => heardMs, onGap);
  const recognition = superviseRecognition(
    {
      recogniser: options.recogniser,
      recognition: {
        sampleRateHz: listeningRateHz,
        language: options.language,
        candidateLanguages: options.candidateLanguages,
        segmentationSilenceMs: options.segmentationSilenceMs,
        hints: options.hints,
      },
      retry: options.retry,
      clock,
      logger: options.logger,
      random: options.random,
    },
    {
      onPartial(text) {
        if (!isEcho(text)) events.onPartial(text);
      },
      onFinal(text) {
        if (!detector.isSpeaking) gap.end();
        if (!guard.isOwnWords(text.startMs)) events.onFinal(text, toClockMs(text.endMs));
      },
      onLost: (error) => events.onRecogniserLost(error),
    },
  );

  function hear(frame: Int16Array): void {
    heardMs += vadFrameMs;
    level = rmsLevel(frame);
    const nowMs = clock.now();
    const found = detector.push(voiceActivity.isSpeech(frame), agentIsAudible);
    const { isSpeaking } = detector;
    const heard = { samples: frame, sampleRateHz: listeningRateHz, heardMs, nowMs, change: found, isSpeaking };
    const change = guard.judge(heard, recognition.write);
    if (change === undefined) return;
    const atMs = nowMs - framesToMs(change.framesAgo);
    if (change.type === "started") {
      gap.begin();
      events.onSpeechStarted(atMs);
    } else events.onSpeechStopped(atMs);
  }

  function isEcho({ startMs }: RecognisedText): boolean {
    if (guard.isOwnWords(startMs)) return true;
    return !detector.isSpeaking && guard.isFaintEcho(startMs, { heardMs, nowMs: clock.now() });
  }

  /** What follows begins anew, and is noticed as such. */
  function finish(): void {
    if (detector.isSpeaking) detector.reset();
    recognition.flush();
  }

  /** Without frames neither the detector nor the recogniser would ever find an end. */
  function onGap(): void {
    if (detector.isSpeaking && !guard.isEchoing) events.onSpeechStopped(clock.now() - audioGapMs);
    finish();
  }

  return {
    write(samples) {
      if (!closed) framer.push(resampler.process(samples), hear);
    },
    flush: finish,
    setHints: (hints) => recognition.setHints(hints),
    hearAgent: (frame, sampleRateHz, playsAtMs) => guard.agentSays(frame, sampleRateHz, playsAtMs),
    setAgentAudible(isAudible) {
      agentIsAudible = isAudible;
    },
    get level() {
      return level;
    },
    close() {
      if (closed) return;
      closed = true;
      gap.end();
      recognition.close();
      voiceActivity.close();
    },
  };
}
