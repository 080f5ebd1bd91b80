/**
 * FAIL-8: a connection may be dead without either end being told, and what the caller says meanwhile is heard by nobody. A service that
 * lives reports speech within a second, so a sound about which it says nothing is noise, or was lost: it is kept for as long as it takes
 * to find that the connection is dead, for the next one to hear.
 */

/** A dead connection is noticed within this time. */
const deadForMs = 10_000;

export class UnreportedSound {
  /** How long ago it began; undefined while there is none. */
  #agoMs: number | undefined;

  /** Takes the next of the caller's audio. True while it has to be kept. */
  mustKeep(isQuiet: boolean, ms: number): boolean {
    if (this.#agoMs !== undefined && this.#agoMs < deadForMs) this.#agoMs += ms;
    else this.#agoMs = isQuiet ? undefined : 0;
    return this.#agoMs !== undefined && this.#agoMs < deadForMs;
  }

  /** The service has said something, so it has received what was sent before. */
  reported(): void {
    this.#agoMs = undefined;
  }
}
