/**
 * Repeats a request that gets no response. A router, a firewall or a load balancer that drops a connection notifies neither end. A request
 * on such a connection is lost without an error, and the time limits are made for slow models. So after a while the request is sent a
 * second time, on a new connection, and the first response counts.
 */
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { silentConnectionMs } from "../silent-connection.ts";
import { firstToAnswer, SecondAttempts, type Attempt } from "./second-attempts.ts";

export interface Connections {
  readonly send: typeof fetch;
  /** Waits for the requests that are under way. */
  close(): Promise<void>;
}

export function askAgainWhenSilent(
  /** Must have no connection yet. */
  createConnections: () => Connections,
  clock: Clock,
  logger: Logger,
): typeof fetch {
  let kept = createConnections();
  const secondAttempts = new SecondAttempts();

  /** Resolves with undefined if there is no response after a while. */
  function unlessSilent(answer: Promise<Response>): Promise<Response | undefined> {
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.setTimer(silentConnectionMs, () => resolve(undefined));
      answer.then(resolve, reject).finally(cancelTimer);
    });
  }

  return async (input, init = {}) => {
    const attemptOn = ({ send }: Connections): Attempt<Response> => {
      const own = new AbortController();
      const signal = init.signal == null ? own.signal : AbortSignal.any([init.signal, own.signal]);
      return { answer: send(input, { ...init, signal }), giveUp: () => own.abort() };
    };
    const usual = kept;
    secondAttempts.countRequest();
    const first = attemptOn(usual);
    const early = await unlessSilent(first.answer);
    // A body that is not a string may already have been consumed by the first attempt.
    if (early !== undefined || typeof init.body !== "string" || !secondAttempts.take()) return early ?? first.answer;
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
