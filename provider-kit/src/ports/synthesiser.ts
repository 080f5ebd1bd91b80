/** Text in, speech out, a clause at a time. The caller prefetches: several requests of one session may be under way. */
import type { PoolFigures } from "./recogniser.ts";

export interface Voice {
  /** A vendor's voice name; a provider that lacks it picks the nearest it has and never fails for it. */
  readonly name: string;
  readonly style?: string | undefined;
  /** Relative speed as the cloud writes it: `+3%`, `-10%`. */
  readonly rate?: string | undefined;
  /** Relative pitch: `+2%`. */
  readonly pitch?: string | undefined;
  /** The deployment of a custom voice, whose name means nothing elsewhere. */
  readonly endpointId?: string | undefined;
  /** The model that speaks as a person; `name` then is that person's speaker profile. */
  readonly personalModel?: string | undefined;
}

export interface SynthesisRequest {
  /** Plain text, already cleaned for speech; never SSML. */
  readonly text: string;
  readonly voice: Voice;
  readonly language: string;
  /** The rate the audio must come in. */
  readonly sampleRateHz: number;
  /** Where requests have to wait, sessions take turns. A request without one stands for itself. */
  readonly sessionId?: string | undefined;
  /** A greeting, an apology: many conversations say these very words, so their audio is worth keeping. */
  readonly isFixed?: boolean | undefined;
  /** Called once if a service has to speak these words, and not if their audio was at hand. Whoever had them made pays. */
  readonly onMade?: ((made: SynthesisedWords) => void) | undefined;
  /** Called before the first sound by a provider in which another model than the configured one speaks, with its name. */
  readonly onStandIn?: ((model: string) => void) | undefined;
}

export interface SynthesisedWords {
  readonly characters: number;
  readonly audioSeconds: number;
  /** What spoke, if it was not the configured model. */
  readonly model?: string | undefined;
}

/** Where a word stands in the request's text and in its audio. */
export interface SpokenWord {
  readonly textOffset: number;
  readonly textLength: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SynthesisEvents {
  /** PCM16 mono at the requested rate, in order, chunks of any length. The receiver owns the array. */
  onAudio(samples: Int16Array): void;
  /** May be absent altogether, and may come before or after the audio it describes. */
  onWord(word: SpokenWord): void;
  /** What a server has really sent, for operators, where a provider finds that out: `WAV, s16le, 22050 Hz, 1 channel`. */
  onFound?(format: string): void;
}

export interface Synthesiser {
  /**
   * Resolves when the last chunk was delivered. Rejects with a `VoiceError`, or with the signal's reason once it is
   * aborted, after which no callback runs.
   */
  synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void>;
  pool(): PoolFigures;
  close(): Promise<void>;
}
