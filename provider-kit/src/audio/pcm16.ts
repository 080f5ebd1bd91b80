/**
 * 16-bit little-endian PCM between bytes and samples. Node's small Buffers are slices of one shared pool, at any offset: `new
 * Int16Array(buffer.buffer)` would play unrelated data from the pool as full-scale noise. Incoming samples are therefore always copied into
 * memory of their own; for outgoing ones a view is enough, because their memory is not shared.
 */

export const bytesPerSample = 2;

/** Copies. A trailing odd byte is half a sample and is left out. */
export function samplesFromBytes(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  const target = new Uint8Array(samples.buffer);
  target.set(bytes.length === target.length ? bytes : bytes.subarray(0, target.length));
  return samples;
}

/** A view, not a copy: valid as long as nobody writes to `samples`. */
export function bytesFromSamples(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

export function base64FromSamples(samples: Int16Array): string {
  return bytesFromSamples(samples).toString("base64");
}

/** Decodes straight into the samples' own memory: half the cost of `Buffer.from(text, "base64")` and a copy. */
export function samplesFromBase64(text: string): Int16Array {
  const byteLength = Buffer.byteLength(text, "base64");
  const memory = Buffer.from(new ArrayBuffer(byteLength + (byteLength & 1)));
  // Characters outside the alphabet are skipped, so the number of bytes written counts, not the expected one.
  const written = memory.write(text, "base64");
  return new Int16Array(memory.buffer, 0, written >> 1);
}
