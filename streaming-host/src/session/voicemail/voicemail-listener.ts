/** Passes the first half minute of a call, its audio and its transcript, to the detector, which decides who has answered. */
import { createFramer } from "@voice/provider-kit/audio/framing";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { createResampler } from "@voice/provider-kit/audio/resample";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { CreateVoiceActivityDetector, VadSensitivity } from "@voice/provider-kit/ports/voice-activity";
import { listeningRateHz } from "../../pipeline/listening/listener.ts";
import { SpeechDetector } from "../../pipeline/listening/speech-detector.ts";
import { createBeepDetector } from "./beep-detector.ts";
import { VoicemailDetector } from "./voicemail-detector.ts";
import type { MachinePhrases, VoicemailFinding } from "./voicemail-detector.ts";

export interface VoicemailListenerOptions {
  /** VM-4: another host has recognised the machine, and died before the message was complete. */
  readonly isFound: boolean;
  /** The phrases in the language of the conversation. */
  readonly phrases: MachinePhrases;
  /** If absent or true, long talk may be evidence of a machine. */
  readonly judgesByLength?: boolean | undefined;
  /** The agent may speak meanwhile, so there is time to wait for a reaction. */
  readonly awaitsReaction?: boolean | undefined;
  /** Goes on listening after the detector has decided, because the caller of this listener still needs to know whether somebody is speaking. */
  readonly untilStopped?: boolean | undefined;
  readonly inputRateHz: number;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  readonly sensitivity: VadSensitivity;
}

export interface VoicemailListener {
  /** How long the other side has been talking, short pauses included. */
  readonly talkMs: number;
  /** Any speech was detected, or words were recognised. */
  readonly hasSpoken: boolean;
  hear(samples: Int16Array): void;
  read(text: string): void;
  /** The telephone service says that a machine has answered. */
  reported(): void;
  /** Releases the voice activity detector; nothing is received afterwards. */
  stop(): void;
}

export function createVoicemailListener(
  options: VoicemailListenerOptions,
  onFinding: (finding: VoicemailFinding) => void,
): VoicemailListener {
  const { phrases, isFound, judgesByLength, awaitsReaction, untilStopped = false, sensitivity } = options;
  const resampler = createResampler(options.inputRateHz, listeningRateHz);
  const framer = createFramer((listeningRateHz * vadFrameMs) / 1000);
  const voiceActivity = options.createVoiceActivityDetector({ sampleRateHz: listeningRateHz, sensitivity });
  const speech = new SpeechDetector(sensitivity);
  const loudest = new LoudestVoice();
  const beep = createBeepDetector(listeningRateHz);
  const detector = new VoicemailDetector({ phrases, isFound, judgesByLength, awaitsReaction });
  /** Pauses are measured in the audio itself, so that late frames do not create one. */
  let heardMs = 0;
  let hasSpoken = false;
  let isStopped = false;

  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    voiceActivity.close();
  }

  function report(findings: readonly VoicemailFinding[]): void {
    for (const finding of findings) onFinding(finding);
    if (detector.isOver && !untilStopped) stop();
  }

  function hearFrame(frame: Int16Array): void {
    if (isStopped) return;
    heardMs += vadFrameMs;
    speech.push(loudest.isHeard(rmsLevel(frame), voiceActivity.isSpeech(frame)), false);
    hasSpoken ||= speech.isSpeaking;
    report(detector.hear({ atMs: heardMs, isSpeech: speech.isSpeaking, beepEnded: beep.push(frame) }));
  }

  return {
    get talkMs() {
      return detector.talkMs;
    },
    get hasSpoken() {
      return hasSpoken;
    },
    hear(samples) {
      if (!isStopped) framer.push(resampler.process(samples), hearFrame);
    },
    read(text) {
      if (isStopped) return;
      hasSpoken ||= text.trim() !== "";
      report(detector.read(text, heardMs));
    },
    reported() {
      if (!isStopped) report(detector.reported(heardMs));
    },
    stop,
  };
}

/** 10 frames, 200 ms: a syllable, and longer than the click with which a telephone is picked up. */
const syllableFrames = 10;
/** 12 dB. Syllables of one voice differ by less; a television across the room is 15 to 25 dB softer than a mouth at the telephone. */
const softerBy = 10 ** (12 / 20);

/**
 * Distinguishes the voice at the telephone from those behind it. A television, or the guests of a restaurant, talk
 * without a pause without being a machine's greeting. A greeting has one loudness, and whoever holds the telephone is
 * louder than anybody else on the line.
 */
class LoudestVoice {
  #syllable = 0;
  #loudest = 0;

  /** Whether the newest 20 ms belong to the loudest voice so far. `level`: their root mean square, 0 to 1. */
  isHeard(level: number, isSpeech: boolean): boolean {
    this.#syllable += ((isSpeech ? level : 0) - this.#syllable) / syllableFrames;
    this.#loudest = Math.max(this.#loudest, this.#syllable);
    return isSpeech && level * softerBy >= this.#loudest;
  }
}
