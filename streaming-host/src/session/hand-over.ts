/** FAIL-6, from the side of the session that gives up: what it leaves to the one that goes on. */
import type { SessionLoss } from "./fallback-session.ts";

export interface HandOver {
  readonly isUnderWay: boolean;
  begin(what: Omit<SessionLoss, "opening">): void;
  /** The caller waits for a word of whoever goes on. */
  owe(): void;
  /** What the caller says meanwhile. */
  keep(samples: Int16Array): void;
}

export function createHandOver(options: {
  /** Resolves once the tools that run have done so: whoever goes on must know of it. */
  readonly settled: () => Promise<void>;
  readonly isClosed: () => boolean;
  readonly onLost: (loss: SessionLoss) => void;
}): HandOver {
  let isOwed = false;
  let unheard: Int16Array[] | undefined;

  async function complete(what: Omit<SessionLoss, "opening">, left: readonly Int16Array[]): Promise<void> {
    await options.settled();
    if (!options.isClosed()) options.onLost({ ...what, opening: isOwed ? "pick-up" : "listen", unheard: left });
  }

  return {
    get isUnderWay() {
      return unheard !== undefined;
    },
    begin(what) {
      unheard = [...what.unheard];
      void complete(what, unheard);
    },
    owe() {
      isOwed = true;
    },
    keep(samples) {
      unheard?.push(samples);
    },
  };
}
