/** Checks whether the state is reachable; one ping serves all requests within a second. */
import type { Clock } from "@voice/shared/platform/clock";
import { unlessLate } from "@voice/shared/platform/within-time";
import type { State } from "@voice/shared/state/ports/state";

/** A browser that waits for its upgrade notices a longer delay; a slower cache counts as unreachable. */
const pingTimeoutMs = 1000;
const answerLifeMs = 1000;

export function createStateProbe(state: Pick<State, "ping">, clock: Clock): () => Promise<boolean> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);

  async function ping(): Promise<boolean> {
    // The owner of the connection logs why it cannot be reached.
    const reached = state.ping().then(
      () => true,
      () => false,
    );
    return (await unlessLate(clock, pingTimeoutMs, reached)) ?? false;
  }

  return () => {
    if (clock.now() - askedAtMs >= answerLifeMs) {
      askedAtMs = clock.now();
      answer = ping();
    }
    return answer;
  };
}
