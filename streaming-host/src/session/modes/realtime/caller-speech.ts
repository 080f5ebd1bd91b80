/**
 * Tracks the caller's speech on our clock and in the caller's audio, converted from the service's positions, which count the audio of its
 * connection. The transcript of one utterance may come when it was answered, or when the caller has said the next one, so each has its turn
 * from the moment at which it began (HIST-6).
 */
import { Recent } from "@voice/provider-kit/realtime-protocol/recent";
import type { Clock } from "@voice/shared/platform/clock";
import type { BegunTurn } from "../../turn/turn-state.ts";

export interface AudioPositions {
  /** Milliseconds of audio sent to the service so far; its end corresponds to now. */
  readonly appendedMs: () => number;
  /** Where the newest sound of the caller's that may be a word ended, counted likewise; undefined where it is not known. */
  readonly voiceUntilMs: () => number | undefined;
  /** Milliseconds of the caller's audio since the conversation was opened, on whichever connection. */
  readonly heardMs: () => number;
}

interface Moment {
  readonly clockMs: number;
  readonly heardMs: number;
}

export interface Utterance {
  readonly turn: BegunTurn;
  readonly since: Moment;
  readonly sinceAudioMs: number;
  /** Undefined while the caller speaks. */
  until: Moment | undefined;
  /** The transcript so far. */
  partial: string;
}

interface Speech {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The position in the caller's audio. Undefined until the service has reported speech. */
  readonly place?: { readonly start_ms: number; readonly end_ms: number };
  /** Undefined if the service had reported no speech before it sent the words. */
  readonly turn?: BegunTurn | undefined;
}

export class CallerSpeech {
  readonly #clock: Clock;
  readonly #positions: AudioPositions;
  readonly #beginTurn: () => BegunTurn;
  #last: Speech;
  /** The utterances, by the service's ids. */
  readonly #known = new Recent<Utterance>();
  #newest: Utterance | undefined;
  /** The utterances that have no transcript yet, in the order in which they began. */
  #open: Utterance[] = [];
  /** The utterances whose audio is sent again to the next connection. */
  #heardAgain: readonly Utterance[] = [];

  /** `beginTurn`: a turn of the caller's that begins now. */
  constructor(clock: Clock, positions: AudioPositions, beginTurn: () => BegunTurn) {
    this.#clock = clock;
    this.#positions = positions;
    this.#beginTurn = beginTurn;
    const clockMs = clock.now();
    this.#last = { fromMs: clockMs, untilMs: clockMs };
  }

  /** The utterances without a transcript, in the order in which they began. */
  get withoutTranscript(): readonly Utterance[] {
    return [...this.#heardAgain, ...this.#open];
  }

  /** Both take the service's time and return ours. */
  started(itemId: string, audioMs: number): number {
    const since = this.#locate(audioMs);
    const again = this.#heardAgain.find(({ until }) => until === undefined || until.heardMs > since.heardMs);
    this.#open.push(...this.#heardAgain.filter((utterance) => utterance !== again));
    this.#heardAgain = [];
    this.#begin(itemId, audioMs, again?.turn);
    return since.clockMs;
  }

  /** `isLate`: a silence of unknown length belongs to it, and then the loudness of the caller's audio says where the words ended. */
  stopped(itemId: string | undefined, audioMs: number, isLate = false): number {
    const utterance = this.#known.get(itemId ?? "") ?? this.#newest;
    const sinceAudioMs = utterance?.sinceAudioMs ?? 0;
    const end = this.#locate(Math.max(sinceAudioMs, isLate ? this.#endOfVoice(sinceAudioMs, audioMs) : audioMs));
    if (utterance === undefined) this.#last = { ...this.#last, untilMs: end.clockMs };
    else {
      utterance.until = end;
      this.#last = speechOf(utterance, end);
    }
    return end.clockMs;
  }

  /** A turn that we have ended (TURN-12) can be another item than the one in which the speech began. */
  committed(itemId: string): void {
    if (this.#known.has(itemId)) return;
    const open = this.#newestIfOpen();
    if (open === undefined) this.#begin(itemId, this.#positions.appendedMs());
    else this.#known.set(itemId, open);
  }

  transcribedSoFar(itemId: string, text: string): BegunTurn {
    const utterance = this.#known.get(itemId) ?? this.#begin(itemId, this.#positions.appendedMs());
    utterance.partial = text;
    return utterance.turn;
  }

  /** The words are known, or will not be. The last speech where this item's was not reported. */
  transcribed(itemId: string): Speech {
    const utterance = this.#known.get(itemId) ?? this.#newestIfOpen();
    if (utterance !== undefined) this.forget(utterance);
    return utterance?.until === undefined
      ? { ...this.#last, turn: utterance?.turn }
      : speechOf(utterance, utterance.until);
  }

  /** The caller has begun to speak again since. */
  isEarlier(itemId: string): boolean {
    const utterance = this.#known.get(itemId);
    return utterance?.until !== undefined && utterance !== this.#newest;
  }

  /** The transcript of this utterance is no longer waited for. */
  forget(utterance: Utterance): void {
    this.#open = this.#open.filter((other) => other !== utterance);
    this.#heardAgain = this.#heardAgain.filter((other) => other !== utterance);
  }

  /** The connection is lost, and the next one hears them again: as speech that began where it had begun. */
  hearAgain(): void {
    this.#heardAgain = [...this.#heardAgain, ...this.#open];
    this.#open = [];
  }

  #newestIfOpen(): Utterance | undefined {
    return this.#newest !== undefined && this.#open.includes(this.#newest) ? this.#newest : undefined;
  }

  #begin(itemId: string, sinceAudioMs: number, turn = this.#beginTurn()): Utterance {
    const since = this.#locate(sinceAudioMs);
    const utterance: Utterance = { turn, since, sinceAudioMs, until: undefined, partial: "" };
    this.#newest = utterance;
    this.#open.push(utterance);
    this.#known.set(itemId, utterance);
    return utterance;
  }

  #endOfVoice(sinceAudioMs: number, audioMs: number): number {
    const voiceUntilMs = this.#positions.voiceUntilMs();
    const isOfThese = voiceUntilMs !== undefined && voiceUntilMs > sinceAudioMs && voiceUntilMs < audioMs;
    return isOfThese ? voiceUntilMs : audioMs;
  }

  #locate(audioMs: number): Moment {
    const { appendedMs, heardMs } = this.#positions;
    const agoMs = Math.max(0, appendedMs() - audioMs);
    return { clockMs: this.#clock.now() - agoMs, heardMs: Math.max(0, heardMs() - agoMs) };
  }
}

function speechOf({ since, turn }: Utterance, end: Moment): Speech {
  const place = { start_ms: since.heardMs, end_ms: Math.max(since.heardMs, end.heardMs) };
  return { fromMs: since.clockMs, untilMs: end.clockMs, place, turn };
}
