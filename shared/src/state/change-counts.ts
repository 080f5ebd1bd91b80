/** Counts changes in bounded memory: sessions whose ids fall together share a count, and look once more than they need to. */
import { createHash } from "node:crypto";

/** Far more than the changes that requests make while a turn lasts. */
const countsOfSessions = 1024;

export class ChangeCounts {
  readonly #ofSessions = new Uint32Array(countsOfSessions);
  #ofAll = 0;

  /** Undefined: what concerns every session. */
  add(sessionId: string | undefined): void {
    if (sessionId === undefined) this.#ofAll += 1;
    else this.#ofSessions[placeOf(sessionId)] = this.#of(sessionId) + 1;
  }

  /** Both only grow, so their sum shows whether one of them has changed. */
  sumOf(sessionId: string): number {
    return this.#ofAll + this.#of(sessionId);
  }

  #of(sessionId: string): number {
    return this.#ofSessions[placeOf(sessionId)] ?? 0;
  }
}

function placeOf(sessionId: string): number {
  return createHash("sha1").update(sessionId).digest().readUInt16BE() % countsOfSessions;
}
