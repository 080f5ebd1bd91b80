import { describe, expect, it } from "vitest";
import { SampleQueue } from "./sample-queue.ts";

/** As long as one block of the queue's memory. */
const block = 4800;

/** Every sample tells its position. */
const counted = (from: number, length: number): Int16Array => Int16Array.from({ length }, (_none, at) => from + at);

function queueOf(length: number): SampleQueue {
  const queue = new SampleQueue();
  queue.append(counted(0, length));
  return queue;
}

function read(queue: SampleQueue, position: number, length: number): number[] {
  const target = new Int16Array(length);
  return [...target.subarray(0, queue.read(position, target))];
}

describe("a queue of samples", () => {
  it("gives back what was appended, however it was cut", () => {
    const queue = new SampleQueue();
    let length = 0;
    for (const cut of [0, 1, 479, block - 480, block, 3 * block + 7, 100]) {
      queue.append(counted(length, cut));
      length += cut;
    }
    expect(queue.end).toBe(length);
    expect(read(queue, 0, length)).toEqual([...counted(0, length)]);
    expect(read(queue, block - 3, 6)).toEqual([...counted(block - 3, 6)]);
    expect(read(queue, length - 2, 480)).toEqual([...counted(length - 2, 2)]);
    expect(read(queue, length, 480)).toEqual([]);
  });

  it("finds where sound ends, in whatever piece of its memory", () => {
    const queue = new SampleQueue();
    for (const length of [block - 100, 300, block]) queue.append(new Int16Array(length));
    queue.append(new Int16Array(10).fill(16));
    expect(queue.endOfSound(0, 16)).toBe(0);
    expect(queue.endOfSound(50, 15)).toBe(queue.end);
    const [sound, silence] = [queueOf(block + 200), new Int16Array(2 * block)];
    sound.append(silence);
    expect(sound.endOfSound(0, 16)).toBe(block + 200);
    expect(sound.endOfSound(block + 300, 16)).toBe(block + 300);
    sound.release();
    expect(sound.endOfSound(7, 16)).toBe(7);
  });

  it.each([0, 1, block - 1, block, block + 1, 3 * block, 3 * block + 9])(
    "takes back what comes after %i samples",
    (kept) => {
      const queue = queueOf(3 * block + 9);
      queue.cutOff(kept);
      expect(queue.end).toBe(kept);
      expect(read(queue, 0, 4 * block)).toEqual([...counted(0, kept)]);
      queue.append(counted(kept, block));
      expect(read(queue, 0, 5 * block)).toEqual([...counted(0, kept + block)]);
    },
  );

  it("takes back nothing that was dropped already", () => {
    const queue = queueOf(2 * block);
    queue.dropBefore(block + 10);
    queue.cutOff(5);
    expect([queue.start, queue.end]).toEqual([block + 10, block + 10]);
  });

  it("keeps positions when samples were dropped", () => {
    const queue = queueOf(3 * block);
    queue.dropBefore(block + 10);
    expect(queue.start).toBe(block + 10);
    expect(read(queue, block + 10, 5)).toEqual([...counted(block + 10, 5)]);
    queue.append(counted(3 * block, 20));
    expect(read(queue, 3 * block - 5, 40)).toEqual([...counted(3 * block - 5, 25)]);
  });

  it("goes on after all of it was dropped, and never goes back", () => {
    const queue = queueOf(block);
    queue.dropBefore(5 * block);
    queue.dropBefore(10);
    expect([queue.start, queue.end]).toEqual([block, block]);
    queue.append(counted(block, 30));
    expect(read(queue, block, 30)).toEqual([...counted(block, 30)]);
  });

  it("copies, so that the writer may reuse its array", () => {
    const queue = new SampleQueue();
    const samples = counted(1, 10);
    queue.append(samples);
    samples.fill(0);
    expect(read(queue, 0, 10)).toEqual([...counted(1, 10)]);
  });

  it("shares no memory with another queue that is still read", () => {
    const first = queueOf(2 * block);
    first.dropBefore(block);
    const second = new SampleQueue();
    second.append(new Int16Array(block).fill(-1));
    first.append(counted(2 * block, block));
    expect(read(first, block, 2 * block)).toEqual([...counted(block, 2 * block)]);
    expect(read(second, 0, 3)).toEqual([-1, -1, -1]);
  });

  it("gives its memory back once, counts what comes too late, and reads nothing of it", () => {
    const queue = queueOf(block);
    queue.release();
    const next = new SampleQueue();
    next.append(new Int16Array(2 * block).fill(-1));
    queue.append(counted(block, 50));
    queue.release();
    const third = queueOf(block);
    expect(queue.end).toBe(block + 50);
    expect(read(queue, 0, 10)).toEqual([]);
    expect(new Set(read(next, 0, 2 * block))).toEqual(new Set([-1]));
    expect(read(third, 0, block)).toEqual([...counted(0, block)]);
  });
});
