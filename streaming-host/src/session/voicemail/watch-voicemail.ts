/**
 * Listens beside a session, in whatever mode it runs, for an answering machine at the other end, and does what the
 * settings say. It hears the call's first half minute and then lets go of everything.
 */
import type { VoicemailAnswer } from "@voice/shared/calls/voicemail";
import { createFramer } from "@voice/provider-kit/audio/framing";
import { createResampler } from "@voice/provider-kit/audio/resample";
import { listeningRateHz } from "../../pipeline/listening/listener.ts";
import { createSpeechDetector } from "../../pipeline/listening/speech-detector.ts";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { CreateVoiceActivityDetector, VadSensitivity } from "@voice/provider-kit/ports/voice-activity";
import type { LiveSession } from "../modes/live-session.ts";
import { createBeepDetector } from "./beep-detector.ts";
import { VoicemailDetector } from "./voicemail-detector.ts";
import type { VoicemailEvidence, VoicemailFinding } from "./voicemail-detector.ts";

export interface VoicemailWatchOptions {
  readonly answer: VoicemailAnswer;
  /** VM-4: another host has found it, and died before it was answered to the end. */
  readonly isFound: boolean;
  /** What is left on the machine. */
  readonly message: () => string;
  /** What gives a machine away, in the language of the conversation. */
  readonly machineWords: RegExp;
  readonly inputRateHz: number;
  readonly createVoiceActivityDetector: CreateVoiceActivityDetector;
  readonly sensitivity: VadSensitivity;
  readonly onVoicemail: (evidence: VoicemailEvidence) => void;
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
  const { machineWords, isFound } = options;
  const detector = new VoicemailDetector({ machineWords, isFound });
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

  function take(findings: readonly VoicemailFinding[]): void {
    for (const item of findings) {
      if (item.type === "voicemail") {
        options.onVoicemail(item.evidence);
        begin();
      } else if (item.type === "greeting-over")
        session?.handle({ type: "last-words", text: options.message(), reason: messageLeft });
    }
    if (detector.isOver) stop();
  }

  function begin(): void {
    if (answer === "message") session?.handle({ type: "voicemail-answered" });
    else stop(); // there is nothing to wait for
    if (answer === "hang-up") session?.handle({ type: "last-words", text: "", reason: hungUp });
  }

  function stop(): void {
    if (isOver) return;
    isOver = true;
    voiceActivity.close();
  }

  return {
    over(watched) {
      session = watched;
      if (options.isFound) begin();
      return {
        conversation: watched.conversation,
        get status() {
          return watched.status;
        },
        onAudio(samples) {
          watched.onAudio(samples);
          if (!isOver) framer.push(resampler.process(samples), hear);
        },
        handle: (event) => watched.handle(event),
        close(reason) {
          stop();
          return watched.close(reason);
        },
        ended: watched.ended,
      };
    },
    read(text) {
      if (!isOver) take(detector.read(text, heardMs));
    },
  };
}
