/**
 * A voice that does not speak the same words twice: agents of all conversations greet in the same way, a worker holds dozens, and half of what
 * one worker's voices say, another worker's have said.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import type { SpokenWord, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { KnownSpeech } from "./known-speech.ts";

/** In the order in which they were delivered: words and audio. */
type Delivery = SpokenWord | Int16Array;

interface Memory {
  /** What has been spoken is to be recognised. */
  readonly known?: KnownSpeech | undefined;
  /** A folder in which the workers of a run find what one of them has spoken, and which is removed after it. */
  readonly folder?: string | undefined;
}

/** For a synthesiser that makes the same of the same request, as the local one does. What was cancelled is not kept. */
export function rememberSpeech(voice: Synthesiser, { known, folder }: Memory = {}): Synthesiser {
  const kept = new Map<string, readonly Delivery[]>();
  const learn = (key: string, { text, sampleRateHz }: SpokenLine, delivered: readonly Delivery[]): void => {
    kept.set(key, delivered);
    known?.add({
      text,
      words: delivered.filter((delivery): delivery is SpokenWord => !isAudio(delivery)),
      samples: joinSamples(delivered.filter(isAudio)),
      sampleRateHz,
    });
  };
  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      const { text, language, sampleRateHz } = request;
      const key = JSON.stringify([text, request.voice, language, sampleRateHz]);
      if (!kept.has(key)) {
        const byAnother = folder === undefined ? undefined : readSpeech(folder, key);
        if (byAnother !== undefined) learn(key, request, byAnother);
      }
      const before = kept.get(key);
      if (before === undefined) {
        const delivered: Delivery[] = [];
        const both = {
          onWord(word: SpokenWord) {
            delivered.push(word);
            events.onWord(word);
          },
          onAudio(samples: Int16Array) {
            delivered.push(samples.slice()); // the receiver owns its own
            events.onAudio(samples);
          },
        };
        await voice.synthesise(request, both, signal);
        learn(key, request, delivered);
        if (folder !== undefined) writeSpeech(folder, key, delivered);
        return;
      }
      await nextTurn();
      for (const delivery of before) {
        signal.throwIfAborted();
        if (isAudio(delivery)) events.onAudio(delivery.slice());
        else events.onWord(delivery);
      }
      signal.throwIfAborted();
    },
    pool: () => voice.pool(),
    close: () => voice.close(),
  };
}

interface SpokenLine {
  readonly text: string;
  readonly sampleRateHz: number;
}

const isAudio = (delivery: Delivery): delivery is Int16Array => delivery instanceof Int16Array;

const fileOf = (folder: string, key: string): string => join(folder, createHash("sha256").update(key).digest("hex"));

/** At once: the tests' clock would go on while a promise waits for the disk. */
function readSpeech(folder: string, key: string): readonly Delivery[] | undefined {
  try {
    return deserialize(readFileSync(fileOf(folder, key)));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written under another name until the file is whole. */
function writeSpeech(folder: string, key: string, delivered: readonly Delivery[]): void {
  const file = fileOf(folder, key);
  const unfinished = `${file}-${process.pid}`;
  writeFileSync(unfinished, serialize(delivered));
  renameSync(unfinished, file);
}
