/** The messages between the page and its worklets. Both ends are built together, so the shapes need no validation. */

export const captureProcessor = "capture";
export const playbackProcessor = "playback";

export interface CapturedFrame {
  /** PCM16 mono at the requested rate. */
  readonly samples: ArrayBuffer;
  readonly level: number;
}

export type ToCapture = { readonly kind: "rate"; readonly sampleRateHz: number };

export type ToPlayback =
  | { readonly kind: "audio"; readonly samples: ArrayBuffer; readonly sampleRateHz: number }
  | { readonly kind: "clear" };

export interface PlaybackReport {
  readonly level: number;
}
