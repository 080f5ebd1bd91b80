/**
 * The input side of a session: PCM in at the transport's rate, speech and text events out on the session's clock. Every
 * 20 ms frame passes here (FR-2), so nothing on this path waits, logs or allocates beyond the frame.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import { createFramer } from "@voice/provider-kit/audio/framing";
import type { Framer } from "@voice/provider-kit/audio/framing";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { TouchTones } from "@voice/provider-kit/audio/touch-tone";
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { Resampler } from "@voice/provider-kit/audio/resample";
import type { RecognisedText, RecognitionHints, RecognitionOptions } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type {
  CreateVoiceActivityDetector,
  VadSensitivity,
  VoiceActivityDetector,
} from "@voice/provider-kit/ports/voice-activity";
import { watchForAudioGap } from "./audio-gap.ts";
import type { AudioGapWatch } from "./audio-gap.ts";
import { EchoGuard } from "./echo-guard.ts";
import { echoWindowSamples } from "@voice/provider-kit/audio/echo-detector";
import { RecentAudio } from "@voice/provider-kit/audio/recent-audio";
import { measureProsody, prosodySamples } from "@voice/provider-kit/end-of-turn/measure-prosody";
import type { Prosody, VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import { SoundOnset } from "./sound-onset.ts";
import { SpeechDetector, framesToMs } from "./speech-detector.ts";
import { SupervisedRecognition } from "./supervised-recognition.ts";
import type { SupervisionOptions } from "./supervised-recognition.ts";
import { VoiceJudge } from "./voice-judge.ts";

/** The rate that recognisers are trained on and detectors are tuned for. */
export const listeningRateHz = 16_000;

export interface ListenerEvents {
  onSpeechStarted?(sinceMs: number): void;
  /** BARGE-11: a sound that may become speech has started while the agent is audible. */
  onSoundStarted?(sinceMs: number): void;
  onSpeechStopped?(stoppedMs: number, prosody?: Prosody): void;
  /** TURN-17. Called only if a voice model is configured. */
  onVoiceJudged?(stoppedMs: number, probability: number): void;
  /** `endedMs` is on the session's clock, `text.endMs` in the session's audio. */
  onPartial?(text: RecognisedText, endedMs: number): void;
  onFinal(text: RecognisedText, endedMs: number): void;
  /** The caller has spoken, and no recogniser can produce a transcript. */
  onWordsUnknown?(error: VoiceError): void;
  /** Called for each failure of the recogniser, including the last one; usually another attempt follows. */
  onRecogniserFailed?(error: VoiceError): void;
  onRecogniserLost(error: VoiceError): void;
}

export interface ListenerOptions
  extends Omit<SupervisionOptions, "recognition">, Omit<RecognitionOptions, "sampleRateHz" | "connectsAnew"> {
  readonly inputRateHz: number;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  readonly voiceModel?: VoiceEndOfTurnModel | undefined;
  readonly sensitivity: VadSensitivity;
  /** TURN-15: calls back when the peer has responded, and never while the network delivers nothing. */
  readonly probe: (onAnswered: () => void) => void;
}

/**
 * Creates a session's listener. `longestPauseMs`: a pause up to this long may be part of a sentence, because the session decides when the
 * caller has finished.
 */
export type CreateSessionListener = (
  hints: RecognitionHints,
  events: ListenerEvents,
  longestPauseMs?: number,
) => Listener;

export class Listener {
  readonly #clock: Clock;
  readonly #events: ListenerEvents;
  readonly #resampler: Resampler;
  readonly #framer: Framer;
  readonly #voiceActivity: VoiceActivityDetector;
  readonly #detector: SpeechDetector;
  /** The recent past that is needed to find the agent's echo and the prosody of the last words. */
  readonly #recent = new RecentAudio(Math.max(prosodySamples, echoWindowSamples));
  readonly #guard = new EchoGuard(this.#recent);
  readonly #onset = new SoundOnset();
  readonly #touchTones = new TouchTones(listeningRateHz);
  readonly #judge: VoiceJudge | undefined;
  readonly #gap: AudioGapWatch;
  readonly #recognition: SupervisedRecognition;
  #heardMs = 0;
  #agentIsAudible = false;
  #level = 0;
  #closed = false;

  constructor(options: ListenerOptions, events: ListenerEvents) {
    const { clock, sensitivity, probe } = options;
    this.#clock = clock;
    this.#events = events;
    this.#resampler = createResampler(options.inputRateHz, listeningRateHz);
    this.#framer = createFramer((listeningRateHz * vadFrameMs) / 1000);
    this.#voiceActivity = options.createVoiceActivityDetector({ sampleRateHz: listeningRateHz, sensitivity });
    this.#detector = new SpeechDetector(sensitivity);
    this.#judge = this.#createJudge(options);
    this.#gap = watchForAudioGap(
      clock,
      () => this.#heardMs,
      probe,
      (ms) => this.#onGap(ms),
    );
    this.#recognition = this.#superviseRecognition(options);
  }

  /** Level of the newest frame, 0 to 1. */
  get level(): number {
    return this.#level;
  }

  /** The samples belong to the listener from now on. */
  write(samples: Int16Array): void {
    if (!this.#closed) this.#framer.push(this.#resampler.process(samples), this.#hear);
  }

  /** Speech that follows counts as a new start. */
  flush(): void {
    if (this.#detector.isSpeaking) this.#detector.reset();
    this.#recognition.flush();
  }

  setHints(hints: RecognitionHints): void {
    this.#recognition.setHints(hints);
  }

  /** The agent's audio at the time when the caller hears it; it may return as echo (BARGE-10). */
  hearAgent(frame: Int16Array, sampleRateHz: number, playsAtMs: number): void {
    this.#guard.agentSays(frame, sampleRateHz, playsAtMs);
    this.#onset.agentSays(rmsLevel(frame), playsAtMs);
  }

  /** Raises the detection threshold while the agent is audible. */
  setAgentAudible(isAudible: boolean): void {
    this.#agentIsAudible = isAudible;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gap.end();
    this.#judge?.close();
    this.#recognition.close();
    this.#voiceActivity.close();
  }

  #createJudge({ voiceModel, logger }: ListenerOptions): VoiceJudge | undefined {
    const onJudged = this.#events.onVoiceJudged?.bind(this.#events);
    if (voiceModel === undefined || onJudged === undefined) return undefined;
    return new VoiceJudge(voiceModel, onJudged, logger);
  }

  #superviseRecognition(options: ListenerOptions): SupervisedRecognition {
    const { recogniser, language, candidateLanguages, segmentationSilenceMs, longestPauseMs, hints } = options;
    const { retry, clock, logger, random } = options;
    const segmentation = { segmentationSilenceMs, longestPauseMs };
    return new SupervisedRecognition(
      {
        recogniser,
        recognition: { sampleRateHz: listeningRateHz, language, candidateLanguages, ...segmentation, hints },
        retry,
        clock,
        logger,
        random,
      },
      {
        onPartial: (text) => {
          if (!this.#isEcho(text)) this.#events.onPartial?.(text, this.#toClockMs(text.endMs));
        },
        onFinal: (text) => {
          if (!this.#guard.isOwnWords(text.startMs)) this.#events.onFinal(text, this.#toClockMs(text.endMs));
          // Cancelled only now: a timer is slow to cancel, and the caller is waiting for the answer, which has already started.
          if (!this.#detector.isSpeaking) this.#gap.end();
        },
        onUnknown: (error) => this.#events.onWordsUnknown?.(error),
        onFailed: (error) => this.#events.onRecogniserFailed?.(error),
        onLost: (error) => this.#events.onRecogniserLost(error),
      },
    );
  }

  /** A field, so that it is not created for each frame. */
  readonly #hear = (frame: Int16Array): void => {
    this.#heardMs += vadFrameMs;
    this.#level = rmsLevel(frame);
    this.#recent.push(frame);
    const nowMs = this.#clock.now();
    const found = this.#detector.push(this.#voiceActivity.isSpeech(frame), this.#agentIsAudible);
    this.#judge?.push(frame, this.#agentIsAudible);
    const { isSpeaking } = this.#detector;
    const soundFramesAgo = this.#onset.push(this.#level, nowMs);
    if (soundFramesAgo !== undefined && !isSpeaking && !this.#touchTones.isTone(frame))
      this.#events.onSoundStarted?.(nowMs - framesToMs(soundFramesAgo));
    // This is the case for nearly every frame: nothing has changed, and there is no echo to consider.
    if (found === undefined && !this.#guard.isEchoing) {
      this.#recognition.write(frame, isSpeaking);
      return;
    }
    const heard = { samples: frame, heardMs: this.#heardMs, nowMs, change: found, isSpeaking };
    const change = this.#guard.judge(heard, this.#recognise);
    if (change === undefined) return;
    const atMs = nowMs - framesToMs(change.framesAgo);
    if (change.type === "started") {
      this.#gap.begin();
      this.#judge?.speechStarted(change.framesAgo);
      this.#events.onSpeechStarted?.(atMs);
    } else {
      this.#events.onSpeechStopped?.(atMs, measureProsody(this.#recent, change.framesAgo));
      this.#judge?.speechStopped(atMs);
    }
  };

  readonly #recognise = (frame: Int16Array, somebodySpeaks: boolean): void =>
    this.#recognition.write(frame, somebodySpeaks);

  /** Audio arrives in real time, so the newest frame stands for now, and an earlier offset lies as far in the past as its audio. */
  #toClockMs(audioMs: number): number {
    return this.#clock.now() - Math.max(0, this.#heardMs - audioMs);
  }

  #isEcho({ startMs }: RecognisedText): boolean {
    if (this.#guard.isOwnWords(startMs)) return true;
    if (this.#detector.isSpeaking) return false;
    return this.#guard.isFaintEcho(startMs, { heardMs: this.#heardMs, nowMs: this.#clock.now() });
  }

  /** Without frames, neither the detector nor the recogniser would ever detect an end. */
  #onGap(silentMs: number): void {
    const isCaller = this.#detector.isSpeaking && !this.#guard.isEchoing;
    if (isCaller) this.#events.onSpeechStopped?.(this.#clock.now() - silentMs);
    this.flush();
  }
}
