/**
 * Listens beside a session, in whatever mode it runs, for an answering machine at the other end, and does what the
 * settings say. It hears the call's first half minute and then lets go of everything.
 */
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import { createFramer } from "../../audio/framing.ts";
import { createResampler } from "../../audio/resample.ts";
import { listeningRateHz } from "../../pipeline/listening/listener.ts";
import { createSpeechDetector } from "../../pipeline/listening/speech-detector.ts";
import { vadFrameMs } from "../../providers/ports/voice-activity.ts";
import type { CreateVoiceActivityDetector, VadSensitivity } from "../../providers/ports/voice-activity.ts";
import type { LiveSession } from "../live-session.ts";
import { createBeepDetector } from "./beep-detector.ts";
import { MachineDetector } from "./machine-detector.ts";
import type { MachineEvidence, MachineNews } from "./machine-detector.ts";

export interface VoicemailWatchOptions {
  readonly answer: VoicemailAnswer;
  /** What is left on the machine. */
  readonly message: () => string;
  readonly inputRateHz: number;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  readonly sensitivity: VadSensitivity;
  readonly onMachine: (evidence: MachineEvidence) => void;
}

export interface VoicemailWatch {
  /** The same session, overheard. */
  over(session: LiveSession): LiveSession;
  /** What the other side was understood to say. */
  read(text: string): void;
}

/** Why such a conversation ends. */
const hungUp = "voicemail";
const messageLeft = "voicemail_message_left";

export function watchForVoicemail(options: VoicemailWatchOptions): VoicemailWatch {
  const { answer } = options;
  const resampler = createResampler(options.inputRateHz, listeningRateHz);
  const framer = createFramer((listeningRateHz * vadFrameMs) / 1000);
  const voiceActivity = options.createVoiceActivityDetector({
    sampleRateHz: listeningRateHz,
    sensitivity: options.sensitivity,
  });
  const speech = createSpeechDetector(options.sensitivity);
  const beep = createBeepDetector(listeningRateHz);
  const detector = new MachineDetector();
  /** Pauses are measured in the sound itself: frames that come late do not make one. */
  let heardMs = 0;
  let session: LiveSession | undefined;
  let isOver = false;

  function hear(frame: Int16Array): void {
    if (isOver) return;
    heardMs += vadFrameMs;
    speech.push(voiceActivity.isSpeech(frame), false);
    take(detector.hear({ atMs: heardMs, isSpeech: speech.isSpeaking, beepEnded: beep.push(frame) }));
  }

  function take(news: readonly MachineNews[]): void {
    for (const item of news) {
      if (item.type === "machine") {
        options.onMachine(item.evidence);
        if (answer === "message") session?.onMachine();
        else stop(); // there is nothing to wait for
        if (answer === "hang-up") session?.sayAndEnd("", hungUp);
      } else if (item.type === "greeting-over") session?.sayAndEnd(options.message(), messageLeft);
    }
    if (detector.isOver) stop();
  }

  function stop(): void {
    if (isOver) return;
    isOver = true;
    voiceActivity.close();
  }

  return {
    over(watched) {
      session = watched;
      return {
        conversation: watched.conversation,
        get hasBegun() {
          return watched.hasBegun;
        },
        get isQuiet() {
          return watched.isQuiet;
        },
        ended: watched.ended,
        onAudio(samples) {
          watched.onAudio(samples);
          if (!isOver) framer.push(resampler.process(samples), hear);
        },
        onWholeTurn: (text) => watched.onWholeTurn(text),
        onKeyPressed: () => watched.onKeyPressed(),
        onCallerFinished: () => watched.onCallerFinished(),
        onTranscript: (transcript) => watched.onTranscript(transcript),
        setPaused: (isPaused) => watched.setPaused(isPaused),
        sayFarewell: (reason) => watched.sayFarewell(reason),
        onMachine: () => watched.onMachine(),
        sayAndEnd: (text, reason) => watched.sayAndEnd(text, reason),
        close(reason) {
          stop();
          return watched.close(reason);
        },
      };
    },
    read(text) {
      if (!isOver) take(detector.read(text, heardMs));
    },
  };
}
