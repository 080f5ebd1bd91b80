/** Is anyone speaking? Synchronous, on the frame path, one detector per session. */

export const vadFrameMs = 20;

export type VadSensitivity = "low" | "medium" | "high";

export interface VoiceActivityDetector {
  /** One 20 ms frame of PCM16 mono. True when the frame sounds like speech; smoothing is the caller's business. */
  isSpeech(frame: Int16Array): boolean;
  close(): void;
}

export type CreateVoiceActivityDetector = (options: {
  readonly sampleRateHz: number;
  /** `high` hears more (and mistakes more noise for speech). */
  readonly sensitivity: VadSensitivity;
}) => VoiceActivityDetector;
