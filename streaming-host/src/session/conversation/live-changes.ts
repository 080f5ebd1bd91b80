/**
 * What was changed outside while the conversation runs (an agent, a scenario): looked for off the audio path, taken over
 * between replies, never in the middle of one. A look that fails changes nothing.
 */
import type { SessionCatalog } from "@voice/shared/catalog/session-catalog";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";

/** The catalog as it is now; undefined when it is what it was at the last look. */
export type LookForChanges = () => Promise<SessionCatalog | undefined>;

export interface LiveChangesOptions {
  readonly look: LookForChanges;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A reply is prepared from what was known when it began. */
  readonly isReplying: () => boolean;
  readonly take: (catalog: SessionCatalog) => void;
}

export interface LiveChanges {
  /** Looks, if nobody is looking. For moments that leave time until the next reply. */
  look(): void;
  /** Looks, and then runs the turn; in order, and soon even when the store is slow. */
  before(turn: () => void): void;
  /** Takes what was found over if no reply is under way. */
  takeFound(): void;
  /** Resolves when every turn that waited for a look has run. */
  readonly turnsTaken: Promise<void>;
}

/** For sessions that keep what they began with. */
export const nothingChanges: LiveChanges = {
  look: () => undefined,
  before: (turn) => turn(),
  takeFound: () => undefined,
  turnsTaken: Promise.resolve(),
};

/** A caller who typed notices the wait for the answer; the change then comes a turn later. */
const longestWaitMs = 250;

export function createLiveChanges(options: LiveChangesOptions): LiveChanges {
  const { clock, logger } = options;
  let found: SessionCatalog | undefined;
  let looking: Promise<void> | undefined;
  let turns: Promise<void> = Promise.resolve();

  function takeFound(): void {
    if (found === undefined || options.isReplying()) return;
    const catalog = found;
    found = undefined;
    options.take(catalog);
  }

  async function lookOnce(): Promise<void> {
    try {
      found = (await options.look()) ?? found;
      takeFound();
    } catch (error) {
      logger.warn({ error, code: toVoiceError(error).code }, "changes to the agents could not be read");
    }
  }

  function lookAfter(before: Promise<void>): Promise<void> {
    const mine = before.then(lookOnce);
    looking = mine;
    void mine.then(() => (looking === mine ? (looking = undefined) : undefined));
    return mine;
  }

  async function wait(look: Promise<void>): Promise<void> {
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.setTimer(longestWaitMs, resolve);
    });
    await Promise.race([look, late]);
    cancel();
  }

  return {
    look() {
      if (looking === undefined) void lookAfter(Promise.resolve());
    },
    before(turn) {
      // A look that is under way may have begun before the change that this turn is meant to see.
      const look = lookAfter(looking ?? Promise.resolve());
      turns = turns.then(() => wait(look)).then(turn);
    },
    takeFound,
    get turnsTaken() {
      return turns;
    },
  };
}
