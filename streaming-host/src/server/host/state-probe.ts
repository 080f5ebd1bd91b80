/** Checks whether the state is reachable; one ping serves all requests within a second. */
import type { Clock } from "@voice/shared/platform/clock";
import type { State } from "@voice/shared/state/ports/state";

/** A browser that waits for its upgrade notices longer; a cache that takes longer is as good as away. */
const pingTimeoutMs = 1000;
const answerLifeMs = 1000;

export function createStateProbe(state: Pick<State, "ping">, clock: Clock): () => Promise<boolean> {
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(false);

  async function ping(): Promise<boolean> {
    let cancel = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = clock.setTimer(pingTimeoutMs, () => resolve(false));
    });
    // Why it cannot be reached is logged by whoever holds the connection.
    const reached = state.ping().then(
      () => true,
      () => false,
    );
    try {
      return await Promise.race([reached, late]);
    } finally {
      cancel();
    }
  }

  return () => {
    if (clock.now() - askedAtMs >= answerLifeMs) {
      askedAtMs = clock.now();
      answer = ping();
    }
    return answer;
  };
}
