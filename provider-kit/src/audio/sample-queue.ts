/**
 * Buffers audio for a listener, or for a recogniser that may have to receive it again. Audio stays here for seconds, so the memory is
 * reused. Separate memory for each piece would survive two collections of young objects and count as external memory of the old space,
 * where every 64 MB of it make V8 mark the whole heap. With 200 calls on a realtime model that happened every 1.3 to 2.5 s, with 50 ms of
 * work on the main thread and as much in parallel.
 */

/** 200 ms at 24 kHz, the amount that a realtime model sends at a time. */
const blockSamples = 4800;
/** 38 MB, enough for 200 simultaneous calls. Blocks returned beyond that are left to the garbage collector. */
const mostFree = 4000;
const free: Int16Array[] = [];

/** Positions count from the first sample ever appended; dropped samples keep their positions. */
export class SampleQueue {
  /** All blocks are full except the last one. A released queue has none. */
  #blocks: Int16Array[] | undefined = [];
  #firstBlockAt = 0;
  #start = 0;
  #end = 0;

  /** The position of the oldest sample that is still there. */
  get start(): number {
    return this.#start;
  }

  /** How many samples were appended in total. */
  get end(): number {
    return this.#end;
  }

  /** Copies. Samples that are appended after `release` are counted, but not stored. */
  append(samples: Int16Array): void {
    const blocks = this.#blocks;
    if (blocks === undefined) {
      this.#end += samples.length;
      return;
    }
    for (let taken = 0; taken < samples.length;) {
      const within = this.#end % blockSamples;
      if (within === 0) blocks.push(free.pop() ?? new Int16Array(blockSamples));
      const room = blockSamples - within;
      // The samples nearly always fit into the block, and creating a view of them would take longer than the copy.
      const part = taken === 0 && samples.length <= room ? samples : samples.subarray(taken, taken + room);
      blocks.at(-1)?.set(part, within);
      taken += part.length;
      this.#end += part.length;
    }
  }

  /** Copies samples from `position` on into `target`. Returns how many there were. */
  read(position: number, target: Int16Array): number {
    if (this.#blocks === undefined) return 0;
    const count = Math.max(0, Math.min(target.length, this.#end - position));
    for (let copied = 0; copied < count;) {
      const at = position + copied;
      const within = at % blockSamples;
      const block = this.#blocks[(at - this.#firstBlockAt - within) / blockSamples];
      if (block === undefined) return copied;
      const part = block.subarray(within, within + count - copied);
      target.set(part, copied);
      copied += part.length;
    }
    return count;
  }

  /** The position after the last sample, at or after `from`, that is louder than `level`; `from` if there is none. */
  endOfSound(from: number, level: number): number {
    // Block by block, from the last: finding the block of each single sample would take several times as long as reading it.
    const blocks = this.#blocks ?? [];
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index] ?? new Int16Array();
      const blockAt = this.#firstBlockAt + index * blockSamples;
      for (let at = Math.min(blockSamples, this.#end - blockAt) - 1; at >= 0 && blockAt + at >= from; at--) {
        const sample = block[at] ?? 0;
        if (sample > level || sample < -level) return blockAt + at + 1;
      }
      if (blockAt <= from) break;
    }
    return from;
  }

  /** Removes the samples from `position` on, which then no longer count as appended. */
  cutOff(position: number): void {
    const end = Math.max(this.#start, Math.min(this.#end, position));
    const blocks = this.#blocks ?? [];
    while (blocks.length > 0 && this.#firstBlockAt + (blocks.length - 1) * blockSamples >= end) {
      const last = blocks.pop();
      if (last !== undefined) giveBack(last);
    }
    this.#end = end;
  }

  /** Samples before `position` will not be read again. */
  dropBefore(position: number): void {
    this.#start = Math.min(this.#end, Math.max(this.#start, position));
    while (this.#firstBlockAt + blockSamples <= this.#start) {
      const first = this.#blocks?.shift();
      if (first === undefined) return;
      this.#firstBlockAt += blockSamples;
      giveBack(first);
    }
  }

  /** Nothing will be read again. */
  release(): void {
    for (const block of this.#blocks ?? []) giveBack(block);
    this.#blocks = undefined;
  }
}

function giveBack(block: Int16Array): void {
  if (free.length < mostFree) free.push(block);
}
