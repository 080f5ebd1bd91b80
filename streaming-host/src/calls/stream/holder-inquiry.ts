/**
 * Finds out whether the host that has a call's stream lives, in less time than its lease takes to run out (LOST-23). The question
 * goes to all hosts. The one that has the stream answers by renewing its lease, and so does one that renews it just then by
 * itself. A lease that nobody has renewed is taken away, in one step with the comparison. What cannot be known is not guessed: where
 * the question does not come back to its own sender, or the holder receives none, the lease runs to its end.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import { createUuid } from "@voice/shared/platform/ids";
import { pause } from "@voice/shared/platform/pause";
import { unlessLate } from "@voice/shared/platform/within-time";
import type { StopListening } from "@voice/shared/state/ports/broadcasts";
import type { Lease } from "@voice/shared/state/ports/work-queue";
import type { Host } from "../../host/host.ts";

/** An answer takes two messages through the store, a few milliseconds; the rest is for a host that is busy. */
const answerMs = 300;
const topic = "call-streams";
/** Begins the names of holders that receive questions. Hosts of an older version do not. */
const receivesQuestions = "asked:";

export class HolderInquiry {
  readonly #host: Pick<Host, "state" | "clock" | "logger">;
  readonly #stopping = new AbortController();
  /** Questions of this host that have not come back to it. */
  readonly #underWay = new Map<string, (arrived: true) => void>();
  #answer: (callId: string) => void = () => undefined;
  #listening: Promise<StopListening | undefined> | undefined;
  #isListening = false;

  constructor(host: Pick<Host, "state" | "clock" | "logger">) {
    this.#host = host;
  }

  /** `answer` renews the lease of a stream of that call which this host has. */
  start(answer: (callId: string) => void): void {
    this.#answer = answer;
    this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    (await this.#listening)?.();
  }

  /** A name for whoever takes a stream now. */
  newHolder(): string {
    this.#listen();
    return `${this.#isListening ? receivesQuestions : ""}${createUuid()}`;
  }

  /**
   * Resolves within 600 ms: with true if the holder is dead or has the stream no more, and the call is now nobody's and due after that
   * time. Rejects if the store cannot be reached.
   */
  async takeFromDead(lease: Lease, dueInMs: number): Promise<boolean> {
    if (!lease.holder.startsWith(receivesQuestions)) return false;
    const { state, clock } = this.#host;
    const { signal } = this.#stopping;
    const question = createUuid();
    const back = Promise.withResolvers<true>();
    this.#underWay.set(question, back.resolve);
    state.broadcasts.send(topic, `${question} ${lease.id}`);
    const hasArrived = await unlessLate(clock, answerMs, back.promise);
    this.#underWay.delete(question);
    if (hasArrived === undefined) return false;
    // Counted from here, so that a holder has as long where everything is slow.
    await pause(clock, answerMs, signal);
    return signal.aborted ? false : state.callStreams.revoke(lease, dueInMs);
  }

  /** Tried again with the next stream. */
  #listen(): void {
    const { state, logger } = this.#host;
    this.#listening ??= state.broadcasts
      .listen(topic, (text) => this.#receive(text))
      .then((stop) => {
        this.#isListening = true;
        return stop;
      })
      .catch((error: unknown) => {
        this.#listening = undefined;
        logger.warn({ error, code: toVoiceError(error).code }, "questions about streams cannot be received");
        return undefined;
      });
  }

  #receive(text: string): void {
    const end = text.indexOf(" ");
    this.#underWay.get(text.slice(0, end))?.(true);
    this.#answer(text.slice(end + 1));
  }
}
