/**
 * The audio of one reply: samples as they are generated, and the text that they speak. A track has no notion of time;
 * the playout decides when frames are sent.
 */
import { blockSamples, giveBackBlock, takeBlock } from "./waiting-audio.ts";

export interface TextMark {
  /** The reply's text up to and including this word. */
  readonly textEnd: number;
  /** The word is over at this sample. */
  readonly endSample: number;
}

export class Track {
  readonly turnId: string;
  /** All of them are full except the last one. */
  #blocks: Int16Array[] = [];
  readonly #marks: TextMark[] = [];
  /** Samples in the blocks already dropped at the front, so that positions stay absolute. */
  #dropped = 0;
  #isReleased = false;
  #length = 0;
  #text = "";
  #complete = false;

  constructor(turnId: string) {
    this.turnId = turnId;
  }

  /** Samples written so far. */
  get length(): number {
    return this.#length;
  }

  get text(): string {
    return this.#text;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  /** Copies. */
  write(samples: Int16Array): void {
    if (this.#isReleased) {
      this.#length += samples.length; // generated too late: counted, but never heard
      return;
    }
    for (let taken = 0; taken < samples.length;) {
      const within = this.#length % blockSamples;
      if (within === 0) this.#blocks.push(takeBlock());
      const part = samples.subarray(taken, taken + blockSamples - within);
      this.#blocks.at(-1)?.set(part, within);
      taken += part.length;
      this.#length += part.length;
    }
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

  /** No more audio will come. */
  complete(): void {
    this.#complete = true;
  }

  /** Copies samples from `position` on into `target`; returns how many there were. */
  read(position: number, target: Int16Array): number {
    if (this.#isReleased) return 0;
    const count = Math.max(0, Math.min(target.length, this.#length - position));
    for (let copied = 0; copied < count;) {
      const at = position + copied;
      const within = at % blockSamples;
      const part = this.#blocks[(at - this.#dropped - within) / blockSamples]?.subarray(
        within,
        within + count - copied,
      );
      if (part === undefined) return copied;
      target.set(part, copied);
      copied += part.length;
    }
    return count;
  }

  /** Drops whole blocks before `position`, which will never be replayed. */
  forgetBefore(position: number): void {
    while (this.#dropped + blockSamples <= position) {
      const first = this.#blocks.shift();
      if (first === undefined) return;
      this.#dropped += blockSamples;
      giveBackBlock(first);
    }
  }

  /** No more of it will be heard. Its text, and how far it was heard, remain. */
  release(): void {
    this.#isReleased = true;
    for (const block of this.#blocks) giveBackBlock(block);
    this.#blocks = [];
  }

  /** The sample at which the text up to this offset has been spoken. */
  sampleOf(textEnd: number): number {
    let sample = 0;
    for (const mark of this.#marks) if (mark.textEnd <= textEnd) sample = Math.max(sample, mark.endSample);
    return sample;
  }

  /** The text whose audio ends at or before `position` (HIST-2): whole words only. */
  textHeard(position: number): string {
    if (this.#complete && position >= this.#length) return this.#text;
    let end = 0;
    for (const mark of this.#marks) if (mark.endSample <= position) end = Math.max(end, mark.textEnd);
    return this.#text.slice(0, end);
  }
}
