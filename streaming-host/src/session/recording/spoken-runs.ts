/**
 * Maps a reply's audio to the times at which it was heard. A reply plays in runs: it may be held and resumed, or wait for more audio.
 * Measured in frames of the recording and samples of the reply. Pure.
 */

interface Run {
  /** The first sample of the run, in the reply's audio. */
  readonly sample: number;
  /** The position in the recording. */
  readonly position: number;
  length: number;
}

export class SpokenRuns {
  #runs: Run[] = [];

  get end(): number {
    const last = this.#runs.at(-1);
    return last === undefined ? 0 : last.position + last.length;
  }

  add(position: number, length: number): void {
    const last = this.#runs.at(-1);
    if (last !== undefined && position === last.position + last.length) last.length += length;
    else this.#runs.push({ sample: last === undefined ? 0 : last.sample + last.length, position, length });
  }

  /** Audio from this position on was not heard. */
  cut(position: number): void {
    for (let last = this.#runs.at(-1); last !== undefined && this.end > position; last = this.#runs.at(-1)) {
      if (last.position < position) last.length = position - last.position;
      else this.#runs.pop();
    }
  }

  /** When a word that ends at this sample of the reply was heard to its end. */
  endOf(sample: number): number {
    const run = this.#runs.find((candidate) => sample <= candidate.sample + candidate.length);
    return run === undefined ? this.end : run.position + Math.max(0, sample - run.sample);
  }

  /** The same for a beginning: a word that starts where a run ends was heard when the next run started. */
  startOf(sample: number): number {
    const run = this.#runs.find((candidate) => sample < candidate.sample + candidate.length);
    return run === undefined ? this.end : run.position + Math.max(0, sample - run.sample);
  }

  reset(): void {
    this.#runs = [];
  }
}
