/**
 * Voices that a speech service refused, because asking again would cost a request for each clause. Agents that clients make name
 * voices, too: a refusal holds for a voice with everything that was asked of it, so that nobody takes another agent's voice
 * away by asking for it wrongly, and only so many are remembered.
 */
import type { Voice } from "@voice/provider-kit/ports/synthesiser";
import { RecentlyUsed } from "@voice/shared/platform/recently-used";

/** Some hundreds of voices. */
const maxCharacters = 50_000;

export class RefusedVoices {
  readonly #refused = new RecentlyUsed<true>(maxCharacters);

  has(voice: Voice): boolean {
    return this.#refused.get(keyOf(voice)) === true;
  }

  add(voice: Voice): void {
    const key = keyOf(voice);
    this.#refused.set(key, true, key.length);
  }
}

function keyOf({ name, style, rate, pitch, endpointId, personalModel }: Voice): string {
  return JSON.stringify([name, style, rate, pitch, endpointId, personalModel]);
}
