/** Detects speech. Synchronous, on the frame path, one detector per session. */

export const vadFrameMs = 20;

export type VadSensitivity = "low" | "medium" | "high";

export interface VoiceActivityDetector {
  /** Takes one 20 ms frame of PCM16 mono. True if the frame sounds like speech; the result is not smoothed. */
  isSpeech(frame: Int16Array): boolean;
  close(): void;
}

export type CreateVoiceActivityDetector = (options: {
  readonly sampleRateHz: number;
  /** `high` detects more speech, and mistakes more noise for speech. */
  readonly sensitivity: VadSensitivity;
}) => VoiceActivityDetector;
