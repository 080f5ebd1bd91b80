/**
 * The audio of one reply: samples as they are generated, and the text that they speak. A track has no notion of time; the playout decides
 * when frames are sent.
 */
import { SampleQueue } from "@voice/provider-kit/audio/sample-queue";

export interface TextMark {
  /** The reply's text up to and including this word. */
  readonly textEnd: number;
  /** The sample at which the word ends. */
  readonly endSample: number;
}

/** 66 dB below full scale. Voices end with digital silence or with noise below this level. */
const silenceLevel = 16;
/** Samples retained after the last sound, so that it does not end abruptly: 200 ms at 8 kHz, 100 at 16, 67 at 24. */
const keptSamples = 1600;

export class Track {
  readonly #samples = new SampleQueue();
  readonly #marks: TextMark[] = [];
  #text = "";
  #complete = false;
  /** Samples that were already read to be played, and so can no longer be removed. */
  #taken = 0;
  /** A track of silence alone is a pause that was requested, and is played whole. */
  #hasSound = false;

  /** Samples written so far. */
  get length(): number {
    return this.#samples.end;
  }

  get text(): string {
    return this.#text;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  /** Copies the samples. */
  write(samples: Int16Array): void {
    this.#samples.append(samples);
    this.#hasSound ||= samples.some((sample) => sample > silenceLevel || sample < -silenceLevel);
  }

  /** Adds a clause's text; its audio and marks follow. Returns the clause's offset in the whole text. */
  beginText(text: string): number {
    const start = this.#text === "" ? 0 : this.#text.length + 1;
    this.#text = this.#text === "" ? text : `${this.#text} ${text}`;
    return start;
  }

  mark(mark: TextMark): void {
    this.#marks.push(mark);
  }

  /**
   * No more audio will come. PLAY-8: the silence at the end is removed, because for the caller the agent has finished with its last sound;
   * speaking during that silence would be taken for an interruption.
   */
  complete(): void {
    this.#complete = true;
    if (!this.#hasSound) return;
    const endOfSound = this.#samples.endOfSound(this.#taken, silenceLevel);
    this.#samples.cutOff(endOfSound + keptSamples);
  }

  /** Copies samples from `position` on into `target`; returns how many there were. */
  read(position: number, target: Int16Array): number {
    const count = this.#samples.read(position, target);
    this.#taken = Math.max(this.#taken, position + count);
    return count;
  }

  /** Samples before `position` will never be replayed. */
  forgetBefore(position: number): void {
    this.#samples.dropBefore(position);
  }

  /** No more of it will be heard. Its text, and how far it was heard, remain. */
  release(): void {
    this.#samples.release();
  }

  /** The sample at which the text up to this offset has been spoken. */
  sampleOf(textEnd: number): number {
    let sample = 0;
    for (const mark of this.#marks) if (mark.textEnd <= textEnd) sample = Math.max(sample, mark.endSample);
    // The last word may be marked as ending in the silence that was removed.
    return this.#complete ? Math.min(sample, this.#samples.end) : sample;
  }

  /** The text whose audio ends at or before `position` (HIST-2): whole words only. */
  textHeard(position: number): string {
    if (this.#complete && position >= this.#samples.end) return this.#text;
    let end = 0;
    for (const mark of this.#marks) if (mark.endSample <= position) end = Math.max(end, mark.textEnd);
    return this.#text.slice(0, end);
  }
}
