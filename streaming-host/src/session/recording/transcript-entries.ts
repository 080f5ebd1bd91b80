/** The entries of a recording's transcript, and its documents. These are created again every few seconds, in 14 ms for four hours of talk. */
import type { RecordedTranscript, RecordedWords } from "@voice/shared/contracts/http/recordings";
import { joinCues, toCue } from "@voice/shared/recordings/captions";
import type { RecordingDocuments } from "@voice/shared/recordings/recording-store";

export class TranscriptEntries {
  readonly #entries: RecordedWords[] = [];

  get count(): number {
    return this.#entries.length;
  }

  add(words: RecordedWords): void {
    this.#entries.push(words);
  }

  documents(about: Omit<RecordedTranscript, "entries">): RecordingDocuments {
    const entries = this.#entries.toSorted((one, other) => one.start_ms - other.start_ms);
    return {
      transcript: `${JSON.stringify({ ...about, entries }, undefined, 2)}\n`,
      captions: joinCues(entries.map(toCue)),
    };
  }
}
