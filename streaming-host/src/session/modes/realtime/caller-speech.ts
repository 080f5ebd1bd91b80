/**
 * Tracks the caller's speech on our clock and in the caller's audio, converted from the service's positions, which count the audio of its
 * connection. The transcript of one utterance may come when the caller has said the next one.
 */
import { Recent } from "@voice/provider-kit/realtime-protocol/recent";
import type { Clock } from "@voice/shared/platform/clock";

export interface AudioPositions {
  /** Milliseconds of audio sent to the service so far; its end corresponds to now. */
  readonly appendedMs: () => number;
  /** Where the newest sound of the caller's that may be a word ended, counted likewise; undefined where it is not known. */
  readonly voiceUntilMs: () => number | undefined;
  /** Milliseconds of the caller's audio since the conversation was opened, on whichever connection. */
  readonly heardMs: () => number;
}

interface Speech {
  readonly fromMs: number;
  readonly untilMs: number;
  /** In the caller's audio. Undefined until the service has reported speech. */
  readonly place?: { readonly start_ms: number; readonly end_ms: number };
}

export class CallerSpeech {
  readonly #clock: Clock;
  readonly #positions: AudioPositions;
  #since: { readonly clockMs: number; readonly heardMs: number };
  #sinceAudioMs = 0;
  #last: Speech;
  /** By the service's ids. */
  readonly #ended = new Recent<Speech>();
  #newest: string | undefined;

  constructor(clock: Clock, positions: AudioPositions) {
    this.#clock = clock;
    this.#positions = positions;
    const clockMs = clock.now();
    this.#since = { clockMs, heardMs: 0 };
    this.#last = { fromMs: clockMs, untilMs: clockMs };
  }

  /** Both take the service's time and return ours. */
  started(itemId: string, audioMs: number): number {
    this.#newest = itemId;
    this.#since = this.#locate(audioMs);
    this.#sinceAudioMs = audioMs;
    return this.#since.clockMs;
  }

  /** `isLate`: a silence of unknown length belongs to it, and then the loudness of the caller's audio says where the words ended. */
  stopped(itemId: string | undefined, audioMs: number, isLate = false): number {
    const end = this.#locate(Math.max(this.#sinceAudioMs, isLate ? this.#endOfVoice(audioMs) : audioMs));
    const place = { start_ms: this.#since.heardMs, end_ms: Math.max(this.#since.heardMs, end.heardMs) };
    this.#last = { fromMs: this.#since.clockMs, untilMs: end.clockMs, place };
    if (itemId !== undefined) this.#ended.set(itemId, this.#last);
    return end.clockMs;
  }

  /** The last one where this item's speech was not reported. */
  of(itemId: string): Speech {
    return this.#ended.get(itemId) ?? this.#last;
  }

  /** The caller has begun to speak again since. */
  isEarlier(itemId: string): boolean {
    return itemId !== this.#newest && this.#ended.has(itemId);
  }

  #endOfVoice(audioMs: number): number {
    const voiceUntilMs = this.#positions.voiceUntilMs();
    const isOfThese = voiceUntilMs !== undefined && voiceUntilMs > this.#sinceAudioMs && voiceUntilMs < audioMs;
    return isOfThese ? voiceUntilMs : audioMs;
  }

  #locate(audioMs: number): { readonly clockMs: number; readonly heardMs: number } {
    const { appendedMs, heardMs } = this.#positions;
    const agoMs = Math.max(0, appendedMs() - audioMs);
    return { clockMs: this.#clock.now() - agoMs, heardMs: Math.max(0, heardMs() - agoMs) };
  }
}
