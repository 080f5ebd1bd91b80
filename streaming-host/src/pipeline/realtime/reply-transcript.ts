/**
 * What the agents of one reply say: what may be shown and stored of it, which of it was heard, and what the model must forget. Each
 * agent's words are checked by its own guardrails; after a handoff the next agent speaks.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { createGuardedTranscript, guardedText } from "./guarded-transcript.ts";
import type { GuardedPiece, GuardedTranscript } from "./guarded-transcript.ts";
import { SpokenItems } from "./spoken-items.ts";
import type { ItemCut } from "./spoken-items.ts";

export interface SaidPart {
  readonly agent: string;
  readonly text: string;
}

export class ReplyTranscript {
  readonly #items: SpokenItems<Agent>;
  #shown: GuardedTranscript;

  constructor(agent: Agent) {
    this.#items = new SpokenItems(agent);
    this.#shown = transcriptOf(agent);
  }

  /** Who speaks now. */
  get agent(): string {
    return this.#items.speaker.name;
  }

  speakAs(agent: Agent): void {
    this.#items.speaker = agent;
    this.#shown = transcriptOf(agent);
  }

  addAudio(itemId: string, durationMs: number): void {
    this.#items.addAudio(itemId, durationMs);
  }

  addWord(itemId: string, text: string, endMs: number): void {
    this.#items.addWord(itemId, text, endMs);
  }

  addFiller(text: string, durationMs: number): void {
    this.#items.addFiller(text, durationMs);
  }

  /** Returns what may be shown now. */
  addText(itemId: string, delta: string): readonly GuardedPiece[] {
    this.#items.addText(itemId, delta);
    return this.#shown.push(delta);
  }

  /** The item's whole text, which may differ from the sum of its deltas. Returns what may be shown now. */
  endText(itemId: string, text: string): readonly GuardedPiece[] {
    const pieces = this.#items.hasText(itemId) ? [] : this.#shown.push(text); // a service need not send it in pieces
    this.#items.setText(itemId, text);
    return [...pieces, ...this.#shown.flush()];
  }

  /** What may be stored of the words that were heard. */
  heard(heardMs = Number.POSITIVE_INFINITY): readonly SaidPart[] {
    return this.#items
      .heard(heardMs)
      .map(({ speaker, text }) => ({
        agent: speaker.name,
        text: guardedText(text, speaker.guardrails ?? [], speaker.speech.language),
      }))
      .filter(({ text }) => text !== "");
  }

  cuts(heardMs: number): readonly ItemCut[] {
    return this.#items.cuts(heardMs);
  }
}

function transcriptOf({ guardrails = [], speech }: Agent): GuardedTranscript {
  return createGuardedTranscript(guardrails, speech.language);
}
