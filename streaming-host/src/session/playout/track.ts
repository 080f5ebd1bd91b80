/**
 * The audio of one reply: samples as they are generated, and the text that they speak. A track has no notion of time;
 * the playout decides when frames are sent.
 */

export interface TextMark {
  /** The reply's text up to and including this word. */
  readonly textEnd: number;
  /** The word is over at this sample. */
  readonly endSample: number;
}

export class Track {
  readonly turnId: string;
  readonly #chunks: Int16Array[] = [];
  readonly #marks: TextMark[] = [];
  /** Samples already dropped at the front, so that positions stay absolute. */
  #dropped = 0;
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

  /** Takes over the array. */
  write(samples: Int16Array): void {
    if (samples.length === 0) return;
    this.#chunks.push(samples);
    this.#length += samples.length;
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
    let offset = position - this.#dropped;
    let copied = 0;
    for (const chunk of this.#chunks) {
      if (offset >= chunk.length) {
        offset -= chunk.length;
        continue;
      }
      const part = chunk.subarray(offset, offset + target.length - copied);
      target.set(part, copied);
      copied += part.length;
      offset = 0;
      if (copied === target.length) break;
    }
    return copied;
  }

  /** Drops whole chunks before `position`, which will never be replayed. */
  forgetBefore(position: number): void {
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#dropped + first.length > position) return;
      this.#chunks.shift();
      this.#dropped += first.length;
    }
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
