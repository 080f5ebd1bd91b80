/** Speech as bytes: the length of the list of word times, the list itself, and the samples. */
import type { SpokenWord, SynthesisEvents } from "@voice/provider-kit/ports/synthesiser";
import { z } from "zod";

const times = z.array(
  z.object({ textOffset: z.number(), textLength: z.number(), startMs: z.number(), endMs: z.number() }),
);
const lengthBytes = 4;

export class SpeechFile {
  readonly #words: SpokenWord[] = [];
  readonly #audio: Buffer[] = [];

  /** Undefined if the bytes are not a complete file of this kind. */
  static parse(bytes: Uint8Array): SpeechFile | undefined {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (all.length < lengthBytes) return undefined;
    const audioAt = lengthBytes + all.readUInt32LE(0);
    if (audioAt > all.length || (all.length - audioAt) % Int16Array.BYTES_PER_ELEMENT !== 0) return undefined;
    const words = times.safeParse(parsedJson(all.toString("utf8", lengthBytes, audioAt)));
    if (!words.success) return undefined;
    const file = new SpeechFile();
    file.#words.push(...words.data);
    file.#audio.push(all.subarray(audioAt));
    return file;
  }

  encode(): Buffer {
    const words = Buffer.from(JSON.stringify(this.#words));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(words.length);
    return Buffer.concat([length, words, ...this.#audio]);
  }

  /** Records everything that it passes on. */
  copyOf(events: SynthesisEvents): SynthesisEvents {
    return {
      onAudio: (samples) => {
        this.#audio.push(Buffer.from(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)));
        events.onAudio(samples);
      },
      onWord: (word) => {
        this.#words.push(word);
        events.onWord(word);
      },
    };
  }

  tell(events: SynthesisEvents): void {
    for (const word of this.#words) events.onWord(word);
    // Copied, because samples need an even address and the receiver owns them.
    const bytes = new Uint8Array(Buffer.concat(this.#audio));
    events.onAudio(new Int16Array(bytes.buffer));
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
