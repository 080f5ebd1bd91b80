/** Text in, speech out, one clause at a time. The caller prefetches, so several requests of one session may be under way. */
import type { PoolFigures } from "./recogniser.ts";

export interface Voice {
  /** A vendor's voice name. A provider that lacks it chooses the most similar voice, and never fails because of it. */
  readonly name: string;
  readonly style?: string | undefined;
  /** Relative speed in the notation of the cloud: `+3%`, `-10%`. */
  readonly rate?: string | undefined;
  /** Relative pitch: `+2%`. */
  readonly pitch?: string | undefined;
  /** The deployment of a custom voice, whose name exists nowhere else. */
  readonly endpointId?: string | undefined;
  /** The model for a personal voice; `name` is then the speaker profile of the person. */
  readonly personalModel?: string | undefined;
}

export interface SynthesisRequest {
  /** Plain text, already prepared for speech; never SSML. */
  readonly text: string;
  readonly voice: Voice;
  readonly language: string;
  /** The sample rate that the audio must have. */
  readonly sampleRateHz: number;
  /** If requests have to queue, sessions take turns. A request without an id counts as a session of its own. */
  readonly sessionId?: string | undefined;
  /** Text that many conversations speak in these very words, such as a greeting or an apology, so its audio is worth caching. */
  readonly isFixed?: boolean | undefined;
  /**
   * Called once if a service has to synthesise the text, and not if its audio was cached. The conversation that caused the synthesis is
   * charged.
   */
  readonly onMade?: ((made: SynthesisedWords) => void) | undefined;
  /** Called before the first audio if the provider uses another model than the configured one, with that model's name. */
  readonly onStandIn?: ((model: string) => void) | undefined;
}

export interface SynthesisedWords {
  readonly characters: number;
  readonly audioSeconds: number;
  /** The model that was used, if it was not the configured one. */
  readonly model?: string | undefined;
}

/** The position of a word in the request's text and in its audio. */
export interface SpokenWord {
  readonly textOffset: number;
  readonly textLength: number;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SynthesisEvents {
  /** PCM16 mono at the requested rate, in order, chunks of any length. The receiver owns the array. */
  onAudio(samples: Int16Array): void;
  /** May never be called, and may be called before or after the audio that it describes. */
  onWord(word: SpokenWord): void;
  /** The format that a server has really sent, for operators, if the provider detects it: `WAV, s16le, 22050 Hz, 1 channel`. */
  onFound?(format: string): void;
}

export interface Synthesiser {
  /**
   * Resolves when the last chunk was delivered. Rejects with a `VoiceError`, or with the signal's reason once it is aborted, after which no
   * callback runs.
   */
  synthesise(request: SynthesisRequest, events: SynthesisEvents, signal: AbortSignal): Promise<void>;
  pool(): PoolFigures;
  close(): Promise<void>;
}
