/**
 * Memory for the frames of one line, cut from pieces of a quarter of a second. With separate memory for each frame, decoding takes 0.5 µs
 * instead of 0.1, and the garbage collector has to free fifty buffers a second. Two lines never share a piece, so code that mistakes a
 * frame's `buffer` for the frame finds audio of the same caller only.
 */
import { samplesFromBase64 } from "./pcm16.ts";

const pieceBytes = 8192;
/** Longer audio gets separate memory, because it would leave little of a piece for other frames. */
const longestBytes = pieceBytes / 4;

export class SampleSlab {
  #piece: Buffer | undefined;
  #used = 0;

  /** Characters that are not base64 are skipped, and half a sample at the end is left out. The receiver owns the samples. */
  fromBase64(text: string): Int16Array {
    const mostBytes = Math.ceil((text.length * 3) / 4);
    if (mostBytes > longestBytes) return samplesFromBase64(text);
    if (this.#piece === undefined || this.#used + mostBytes > pieceBytes) {
      this.#piece = Buffer.alloc(pieceBytes);
      this.#used = 0;
    }
    const at = this.#used;
    const written = this.#piece.write(text, at, "base64");
    const samples = new Int16Array(this.#piece.buffer, at, written >> 1);
    this.#used += samples.byteLength; // half a sample at the end is overwritten by the next frame
    return samples;
  }
}
