/**
 * Voices that a speech service rejected, because trying again would cost a request for each clause. Voices are also named by agents, which
 * clients can create: a rejection applies to a voice together with everything else that was requested of it, so that nobody can block
 * another agent's voice by requesting it wrongly, and only a limited number is remembered.
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
