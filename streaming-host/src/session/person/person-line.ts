/**
 * The line of a person who has taken over (PERSON-4, PERSON-5): their voice is played to the caller in the agent's place, on every channel,
 * and what they say is recognised. The caller stays where they are, so recording, watching and the session continue.
 */
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { Resampler } from "@voice/provider-kit/audio/resample";
import type { RecognisedText, RecognitionStream } from "@voice/provider-kit/ports/recogniser";
import type { Clock } from "@voice/shared/platform/clock";
import type { Playout } from "../playout/playout.ts";
import { Track } from "../playout/track.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { holdSound, holdSoundMs } from "./hold-sound.ts";

/** The rate of a person's voice, whatever that of the call. */
export const personRateHz = 16_000;

/** The id of the person's track in the playout; no turn has this id. */
const personTrack = "person";
/** Audio from a network comes unevenly, so this much is collected after each pause before it is played. */
const collectedMs = 60;
/** A person who is further behind than this would be talking about what the caller said before. */
const maxBehindMs = 400;

export type PersonListener = Pick<RecognitionStream, "write" | "close">;

/** Recognises what a person says; `endedMs` is on the session's clock. */
export type ListenToPerson = (onFinal: (text: RecognisedText, endedMs: number) => void) => PersonListener;

export interface PersonLineOptions {
  readonly playout: Playout;
  readonly sampleRateHz: number;
  readonly clock: Clock;
  /** There is something to play. */
  readonly wake: () => void;
  /** Recognises what the person says; absent: nothing does. */
  readonly listen: ListenToPerson | undefined;
  readonly onFinal: (text: RecognisedText, endedMs: number) => void;
  /** Nothing more of the person is heard. */
  readonly onOver: () => void;
}

export class PersonLine {
  readonly #options: PersonLineOptions;
  #resampler: Resampler | undefined;
  #listener: PersonListener | undefined;
  /** What is played; undefined while the agent has the floor. */
  #track: Track | undefined;
  #isOnHold = false;
  #cancelHold: (() => void) | undefined;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #flows = false;

  constructor(options: PersonLineOptions) {
    this.#options = options;
  }

  /** Called after each step of the turn machine: the person has the floor, or the agent has it. */
  follow({ withPerson, agent }: TurnState): void {
    const hasFloor = withPerson && agent.kind === "listening";
    if (hasFloor === (this.#track !== undefined)) return;
    if (hasFloor) this.#begin();
    else this.close();
  }

  /** PCM16 at `personRateHz`. The samples belong to the line from now on. */
  hear(samples: Int16Array): void {
    const track = this.#track;
    if (track === undefined || this.#isOnHold || this.#resampler === undefined) return;
    this.#listener?.write(samples);
    const behindMs = this.#toMs(track.length) - this.#options.playout.heardMs();
    if (behindMs > maxBehindMs) return;
    if (behindMs <= 0) this.#flows = false;
    const resampled = this.#resampler.process(samples);
    this.#waiting.push(resampled);
    this.#waitingSamples += resampled.length;
    if (!this.#flows && this.#toMs(this.#waitingSamples) < collectedMs) return;
    this.#flows = true;
    for (const piece of this.#waiting) track.write(piece);
    this.#dropWaiting();
    this.#play();
  }

  /** PERSON-6: the caller hears that the line is not dead, and not what the person says. */
  setOnHold(isOnHold: boolean): void {
    if (this.#isOnHold === isOnHold) return;
    this.#isOnHold = isOnHold;
    if (this.#track !== undefined) this.#begin();
  }

  close(): void {
    if (this.#track === undefined) return;
    this.#cancelHold?.();
    this.#cancelHold = undefined;
    this.#track = undefined;
    this.#dropWaiting();
    this.#listener?.close();
    this.#listener = undefined;
    this.#options.onOver();
  }

  #begin(): void {
    const { playout, sampleRateHz, listen, onFinal } = this.#options;
    this.#cancelHold?.();
    this.#cancelHold = undefined;
    this.#dropWaiting();
    this.#flows = false;
    if (this.#track !== undefined) playout.stop("superseded");
    this.#resampler = createResampler(personRateHz, sampleRateHz);
    this.#listener ??= listen?.(onFinal);
    const track = new Track();
    this.#track = track;
    playout.play(track, personTrack);
    if (this.#isOnHold) this.#holdOn(track);
  }

  #holdOn(track: Track): void {
    track.write(holdSound(this.#options.sampleRateHz));
    this.#play();
    this.#cancelHold = this.#options.clock.setTimer(holdSoundMs, () => this.#holdOn(track));
  }

  #play(): void {
    this.#options.playout.pump();
    this.#options.wake();
  }

  #dropWaiting(): void {
    this.#waiting = [];
    this.#waitingSamples = 0;
  }

  #toMs(samples: number): number {
    return (samples * 1000) / this.#options.sampleRateHz;
  }
}
