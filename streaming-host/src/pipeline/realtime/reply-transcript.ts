/**
 * What the agents of one reply say: what may be shown and stored of it, which of it was heard, and what the model must forget. Each
 * agent's words are checked by its own guardrails; after a handoff the next agent speaks.
 */
import type { Agent } from "@voice/shared/catalog/agent";
import { createGuardedTranscript, guardedText } from "./guarded-transcript.ts";
import type { GuardedClause } from "@voice/shared/conversation/speech-guard";
import type { GuardedTranscript } from "./guarded-transcript.ts";
import { SpokenItems } from "./spoken-items.ts";

export interface SaidPart {
  readonly agent: string;
  readonly text: string;
}

export class ReplyTranscript {
  readonly items: SpokenItems<Agent>;
  #shown: GuardedTranscript;

  constructor(agent: Agent) {
    this.items = new SpokenItems(agent);
    this.#shown = transcriptOf(agent);
  }

  speakAs(agent: Agent): void {
    this.items.speaker = agent;
    this.#shown = transcriptOf(agent);
  }

  /** Returns what may be shown now. */
  addText(itemId: string, delta: string): readonly GuardedClause[] {
    this.items.addText(itemId, delta);
    return this.#shown.push(delta);
  }

  /** The item's whole text, which may differ from the sum of its deltas. Returns what may be shown now. */
  endText(itemId: string, text: string): readonly GuardedClause[] {
    const pieces = this.items.hasText(itemId) ? [] : this.#shown.push(text); // a service need not send it in pieces
    this.items.setText(itemId, text);
    return [...pieces, ...this.#shown.flush()];
  }

  /** What may be stored of the words that were heard. */
  heard(heardMs = Number.POSITIVE_INFINITY): readonly SaidPart[] {
    return this.items
      .heard(heardMs)
      .map(({ speaker, text }) => ({
        agent: speaker.name,
        text: guardedText(text, speaker.guardrails ?? [], speaker.speech.language),
      }))
      .filter(({ text }) => text !== "");
  }
}

function transcriptOf({ guardrails = [], speech }: Agent): GuardedTranscript {
  return createGuardedTranscript(guardrails, speech.language);
}
