/** The service's transcripts of the caller, item by item: partials that grow, and one end for each item. */
import type { RealtimeEvent } from "@voice/provider-kit/ports/realtime-model";
import { withoutAnnotations } from "../recognition/without-annotations.ts";
import { Recent } from "./recent.ts";
import type { ParsedEvent } from "./parsed-event.ts";

type TranscriptEvent = Extract<
  ParsedEvent,
  { type: "user-transcript" | "user-transcript-delta" | "user-transcript-finished" | "user-transcript-failed" }
>;

export class CallerTranscripts {
  readonly #emit: (event: RealtimeEvent) => void;
  readonly #partials = new Recent<string>();
  /** The items whose transcript is complete. A service may repeat a transcript, but the caller has spoken only once. */
  readonly #complete = new Recent<true>();

  constructor(emit: (event: RealtimeEvent) => void) {
    this.#emit = emit;
  }

  receive(event: TranscriptEvent): void {
    const { itemId } = event;
    if (this.#complete.has(itemId)) return;
    if (event.type === "user-transcript-delta") {
      const text = (this.#partials.get(itemId) ?? "") + event.delta;
      this.#partials.set(itemId, text);
      this.#emit({ type: "user-transcript", itemId, text, isFinal: false });
      return;
    }
    this.#partials.delete(itemId);
    if (event.type === "user-transcript") {
      this.#emit(event);
      return;
    }
    this.#complete.set(itemId, true);
    if (event.type === "user-transcript-failed") {
      this.#emit(event);
      return;
    }
    const text = withoutAnnotations(event.text);
    const { usage } = event;
    if (usage !== undefined) this.#emit({ type: "used", what: "transcription", usage });
    this.#emit({ type: "user-transcript", itemId, text, isFinal: true });
  }
}
