/**
 * A conversation's recording: loaded as a whole, because an audio element cannot send a token, with the time of every
 * sentence.
 */
import type { ServiceApi } from "../api/service-api.ts";
import { Store } from "@voice/client-kit/store";
import { RecordingProblem, recordingProblem, whileLoading } from "./recording-problem.ts";
import { WaveformReader } from "./waveform.ts";
import type { Waveform } from "./waveform.ts";

export type RecordingState =
  | { readonly kind: "none" }
  /** 0 to 1; undefined if the total length is unknown. */
  | { readonly kind: "loading"; readonly progress: number | undefined }
  | {
      readonly kind: "ready";
      readonly url: string;
      readonly waveform: Waveform;
    }
  | { readonly kind: "failed"; readonly problem: string };

export interface RecordingSessionOptions {
  readonly api: Pick<ServiceApi, "recording">;
  /** Creates an address for the page's audio element, and the function that releases it. */
  readonly createUrl: (audio: Blob) => string;
  readonly revokeUrl: (url: string) => void;
}

/** Often enough to show progress. */
const progressEveryBytes = 500_000;

export class RecordingSession {
  readonly store = new Store<RecordingState>({ kind: "none" });
  readonly #options: RecordingSessionOptions;
  #abort = new AbortController();

  constructor(options: RecordingSessionOptions) {
    this.#options = options;
  }

  async load(sessionId: string): Promise<void> {
    this.forget();
    const { signal } = this.#abort;
    this.store.set({ kind: "loading", progress: undefined });
    try {
      const { createUrl } = this.#options;
      const { audio, waveform } = await this.#fetch(sessionId, signal);
      if (!signal.aborted) this.store.set({ kind: "ready", url: createUrl(audio), waveform });
    } catch (error) {
      if (!signal.aborted) this.store.set({ kind: "failed", problem: recordingProblem(error) });
    }
  }

  forget(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    const state = this.store.get();
    if (state.kind === "ready") this.#options.revokeUrl(state.url);
    this.store.set({ kind: "none" });
  }

  async #fetch(sessionId: string, signal: AbortSignal) {
    const response = await this.#options.api.recording(sessionId, signal);
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    const reader = new WaveformReader();
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let received = 0;
    let shown = 0;
    for await (const part of chunksOf(response)) {
      parts.push(part);
      reader.add(part);
      received += part.length;
      if (received - shown < progressEveryBytes || signal.aborted) continue;
      shown = received;
      this.store.set({ kind: "loading", progress: Number.isFinite(length) ? received / length : undefined });
    }
    const { isWav, waveform } = reader;
    if (!isWav)
      throw new RecordingProblem(
        "What was answered is no WAV file; a proxy before the service may have answered instead. If it does so again, reload the page.",
      );
    if (waveform.durationMs === 0)
      throw new RecordingProblem("Nothing has been stored of it yet: that takes a few seconds.");
    return { audio: new Blob(parts, { type: "audio/wav" }), waveform };
  }
}

/** Not every browser can iterate a stream. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (;;) {
    const next = await reader?.read().catch((error: unknown) => {
      throw whileLoading(error);
    });
    if (next === undefined || next.done) return;
    yield next.value;
  }
}
