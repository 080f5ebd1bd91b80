/**
 * What the caller has heard, as far as Twilio says: it returns each mark when the audio before it has been played. Against the time at which
 * that audio would have ended at real-time pace, this shows how long Twilio and the way there and back delay it.
 */

/** The interval between marks: about as often as something is decided from them. */
const markEveryMs = 200;
/** What is longer is no delay of a line, and would make us wait for ever for audio to be heard. */
const longestDelayMs = 2000;
/** Marks that are not returned are forgotten: Twilio has dropped them. */
const mostPending = 100;

export class PlayedMarks {
  readonly #now: () => number;
  /** When the audio before a mark ends, without any delay. */
  readonly #pending = new Map<string, number>();
  #delayMs: number;
  #playsUntilMs = 0;
  #sinceMarkMs = 0;
  #count = 0;

  /** `delayMs`: what is assumed until the first mark comes back. */
  constructor(now: () => number, delayMs: number) {
    this.#now = now;
    this.#delayMs = delayMs;
  }

  /** How long after it was due the audio is heard. */
  get delayMs(): number {
    return this.#delayMs;
  }

  /** Audio was sent. Returns the name of the mark that is to follow it, if one is. */
  sent(durationMs: number): string | undefined {
    this.#playsUntilMs = Math.max(this.#now(), this.#playsUntilMs) + durationMs;
    this.#sinceMarkMs += durationMs;
    return this.#sinceMarkMs >= markEveryMs ? this.#mark() : undefined;
  }

  /** The reply has ended. Returns the name of the mark that is to follow it, unless the last one does already. */
  ended(): string | undefined {
    return this.#sinceMarkMs > 0 ? this.#mark() : undefined;
  }

  played(name: string): void {
    const dueAtMs = this.#pending.get(name);
    if (dueAtMs === undefined) return;
    this.#pending.delete(name);
    this.#delayMs = Math.min(longestDelayMs, Math.max(0, this.#now() - dueAtMs));
  }

  /** Twilio drops what it has not played, and returns its marks at once, which says nothing. */
  cleared(): void {
    this.#pending.clear();
    this.#playsUntilMs = this.#now();
    this.#sinceMarkMs = 0;
  }

  #mark(): string {
    this.#sinceMarkMs = 0;
    const name = `m${++this.#count}`;
    this.#pending.set(name, this.#playsUntilMs);
    for (const oldest of this.#pending.keys()) if (this.#pending.size > mostPending) this.#pending.delete(oldest);
    return name;
  }
}
