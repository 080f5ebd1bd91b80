/**
 * Applies outside changes to agents and scenarios while the conversation runs: checked for off the audio path and
 * applied between replies, never during one. A failed check changes nothing.
 */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { unlessLate } from "@voice/shared/platform/within-time";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";

/** After a reply there is time: what is looked for then delays nothing. */
export type MomentOfCheck = "before a turn" | "after a reply";

/** The current catalog; undefined if it is unchanged since the last check. */
export type CheckForChanges = (moment: MomentOfCheck) => Promise<SessionCatalog | undefined>;

export interface LiveChangesOptions {
  readonly look: CheckForChanges;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A reply is in progress, and uses the catalog from when it began. */
  readonly isReplying: () => boolean;
  readonly take: (catalog: SessionCatalog) => void;
}

/** A typing caller would notice a longer wait; the change then applies a turn later. */
const longestWaitMs = 250;

export class LiveChanges {
  readonly #options: LiveChangesOptions;
  #found: SessionCatalog | undefined;
  #looking: Promise<void> | undefined;
  #turns: Promise<void> | undefined;

  constructor(options: LiveChangesOptions) {
    this.#options = options;
  }

  /** Resolves when every turn that waited for a check has run. */
  get turnsTaken(): Promise<void> {
    return this.#turns ?? Promise.resolve();
  }

  /** Starts a check unless one is running. Called at moments that leave time before the next reply. */
  look(moment: MomentOfCheck): void {
    if (this.#looking === undefined) void this.#lookAfter(Promise.resolve(), moment);
  }

  /** Checks for changes and then runs the turn; in order, and without delay if the store is slow. */
  before(turn: () => void): void {
    // A check in progress may have begun before the change that this turn is meant to see.
    const look = this.#lookAfter(this.#looking ?? Promise.resolve(), "before a turn");
    this.#turns = this.turnsTaken.then(() => unlessLate(this.#options.clock, longestWaitMs, look)).then(turn);
  }

  /** Applies changes that were found, unless a reply is in progress. */
  takeFound(): void {
    const found = this.#found;
    if (found === undefined || this.#options.isReplying()) return;
    this.#found = undefined;
    this.#options.take(found);
  }

  #lookAfter(before: Promise<void>, moment: MomentOfCheck): Promise<void> {
    const mine = before.then(() => this.#lookOnce(moment));
    this.#looking = mine;
    void mine.then(() => (this.#looking === mine ? (this.#looking = undefined) : undefined));
    return mine;
  }

  async #lookOnce(moment: MomentOfCheck): Promise<void> {
    await warnIfItFails(this.#options.logger, {}, "changes to the agents could not be read", async () => {
      this.#found = (await this.#options.look(moment)) ?? this.#found;
      this.takeFound();
    });
  }
}
