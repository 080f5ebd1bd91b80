/**
 * Repeats a request that gets no response. A router, a firewall or a load balancer that drops a connection notifies neither end. A request
 * on such a connection is lost without an error, and the time limits are made for slow models. So after a while the request is sent a
 * second time, on a new connection, and the first response counts ("hedged requests": Dean and Barroso, The Tail at Scale, 2013).
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { silentConnectionMs } from "../silent-connection.ts";

/**
 * While the service itself is slow, repetitions would only add to its load: this many are allowed at once, and after that one request in
 * ten.
 */
const repetitionsAtOnce = 10;
const repetitionsPerRequest = 0.1;

export interface Connections {
  readonly send: typeof fetch;
  /** Waits for the requests that are under way. */
  close(): Promise<void>;
}

export interface AskAgainOptions {
  /** Must have no connection yet. */
  readonly createConnections: () => Connections;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Attempt {
  readonly answer: Promise<Response>;
  giveUp(): void;
}

export function askAgainWhenSilent({ createConnections, clock, logger }: AskAgainOptions): typeof fetch {
  let kept = createConnections();
  let repetitions = repetitionsAtOnce;

  /** Resolves with undefined if there is no response after a while. */
  function unlessSilent(answer: Promise<Response>): Promise<Response | undefined> {
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.setTimer(silentConnectionMs, () => resolve(undefined));
      answer.then(resolve, reject).finally(cancelTimer);
    });
  }

  return async (input, init = {}) => {
    const attemptOn = ({ send }: Connections): Attempt => {
      const own = new AbortController();
      const signal = init.signal == null ? own.signal : AbortSignal.any([init.signal, own.signal]);
      return { answer: send(input, { ...init, signal }), giveUp: () => own.abort() };
    };
    const usual = kept;
    repetitions = Math.min(repetitionsAtOnce, repetitions + repetitionsPerRequest);
    const first = attemptOn(usual);
    const early = await unlessSilent(first.answer);
    // A body that is not a string may already have been consumed by the first attempt.
    if (early !== undefined || typeof init.body !== "string" || repetitions < 1) return early ?? first.answer;
    repetitions -= 1;
    logger.warn({ silentMs: silentConnectionMs }, "a request has no answer and is sent again on a new connection");
    const anew = createConnections();
    const second = attemptOn(anew);
    const { answer, loser } = await firstToAnswer(first, second);
    loser?.giveUp();
    // The previous connections are not used any more once a new one was faster, because all of them may be dead.
    const isReplaced = loser === first && kept === usual;
    if (isReplaced) kept = anew;
    void (isReplaced ? usual : anew).close();
    return answer;
  };
}

/** If one fails, the other may still succeed; if both fail, the first one's reason counts. Does not reject by itself. */
async function firstToAnswer(
  first: Attempt,
  second: Attempt,
): Promise<{ readonly answer: Promise<Response>; readonly loser: Attempt | undefined }> {
  const winner = await Promise.any([first.answer.then(() => first), second.answer.then(() => second)]).catch(
    () => undefined,
  );
  if (winner === undefined) return { answer: first.answer, loser: undefined };
  return { answer: winner.answer, loser: winner === first ? second : first };
}
