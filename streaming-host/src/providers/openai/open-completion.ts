/** One attempt at one completion, which counts as open as soon as its first event has arrived. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type OpenAI from "openai";
import type { ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { RequestUnderRepair } from "../repair-ladder.ts";
import { CompletionAssembler } from "./completion-assembler.ts";
import { endMark, readCompletionEvents } from "./completion-events.ts";
import { isPromptFiltered, toUpstreamError } from "./errors.ts";
import type { LearntAboutModel } from "./repair/learnt-about-model.ts";
import { readRefusal } from "./repair/refusal.ts";
import type { Refusal } from "./repair/refusal.ts";
import type { WireRequest } from "./repair/wire-request.ts";
import { limitSilence } from "../limit-silence.ts";
import { silentConnectionMs } from "../silent-connection.ts";
import { toCompletionParams } from "./request.ts";
import type { RequestDialect } from "./request.ts";
import { firstToAnswer, type Attempt, type SecondAttempts } from "./second-attempts.ts";

export type CompletionTimeouts = { readonly firstEventMs: number; readonly stallMs: number };

export type CompletionContext = {
  readonly client: OpenAI;
  readonly request: ModelRequest;
  readonly deploymentId: string;
  readonly dialect: RequestDialect;
  /** What this deployment is known to need; updated here, stored by the caller. */
  readonly learnt: LearntAboutModel;
  readonly timeouts: CompletionTimeouts;
  /** Second attempts at answers that have begun without words. */
  readonly secondAttempts: SecondAttempts;
  readonly clock: Clock;
  readonly logger: Logger;
};

export interface OpenCompletion {
  events(): AsyncGenerator<ModelEvent, void, undefined>;
  /** Idempotent; closes the vendor's socket if the response is still arriving. */
  close(): void;
}

export async function openCompletion(context: CompletionContext, signal: AbortSignal): Promise<OpenCompletion> {
  const { first, events, deadline } = await openFaster(context, signal);
  return {
    async *events() {
      if (first.done !== true) yield first.value;
      yield* events;
    },
    close: () => deadline.stop(),
  };
}

interface BegunCompletion {
  readonly first: IteratorResult<ModelEvent, void>;
  readonly events: AsyncGenerator<ModelEvent, void, undefined>;
  readonly deadline: Deadline;
}

/**
 * FAIL-8f: a response that has begun and has no words yet may have stalled, which nobody is told. It is requested a second time beside the
 * first, which may only be thinking.
 */
async function openFaster(context: CompletionContext, signal: AbortSignal): Promise<BegunCompletion> {
  const { secondAttempts, logger } = context;
  const begin = (onStalled: () => void): Attempt<BegunCompletion> => {
    const own = new AbortController();
    const answer = openRepaired(context, AbortSignal.any([signal, own.signal]), onStalled);
    return { answer, giveUp: () => own.abort(new DOMException("the other attempt was faster", "AbortError")) };
  };
  secondAttempts.countRequest();
  const stalled = Promise.withResolvers<undefined>();
  const first = begin(() => stalled.resolve(undefined));
  const early = await Promise.race([first.answer, stalled.promise]);
  if (early !== undefined || !secondAttempts.take()) return early ?? first.answer;
  logger.warn({ silentMs: silentConnectionMs }, "an answer has begun without words and is requested again beside it");
  const { answer, loser } = await firstToAnswer(first, begin(ignore));
  loser?.giveUp();
  return answer;
}

function ignore(): void {
  // A second attempt that stalls as well ends by its deadline.
}

/** MODEL-10: a rejected request is repeated at once in another form, for as long as there is one. */
async function openRepaired(
  context: CompletionContext,
  signal: AbortSignal,
  onStalled: () => void,
): Promise<BegunCompletion> {
  const { learnt } = context;
  const original = toCompletionParams(context.request, context.deploymentId, context.dialect);
  const underRepair = new RequestUnderRepair(original, learnt.repairs);
  let firstError: unknown;
  let refusal: Refusal | undefined;
  for (;;) {
    const sent = underRepair.current;
    const deadline = new Deadline(context.clock);
    const events = readCompletion(context, sent, deadline, { signal, onStalled });
    try {
      const first = await events.next();
      // A filter looks at the prompt before anything looks at the request, so that nothing is proven about its form.
      if (!isFiltered(first)) learnt.accepted(underRepair.accepted(), refusal);
      return { first, events, deadline };
    } catch (error) {
      firstError ??= error;
      refusal = error instanceof RefusedRequest ? error.refusal : undefined;
      if (refusal === undefined || !underRepair.refused(refusal.signature, learnt.repairsFor(refusal, underRepair)))
        throw asUpstreamError(firstError);
    }
  }
}

function isFiltered({ value }: IteratorResult<ModelEvent, void>): boolean {
  return typeof value === "object" && value.type === "finished" && value.reason === "content-filter";
}

/** The server's own message about a request, received before any event of a response. */
class RefusedRequest extends Error {
  readonly refusal: Refusal;

  constructor(cause: unknown, refusal: Refusal) {
    super("the request was refused", { cause });
    this.refusal = refusal;
  }
}

function asUpstreamError(error: unknown): unknown {
  return error instanceof RefusedRequest ? toUpstreamError(error.cause, "the language model") : error;
}

async function* readCompletion(
  context: CompletionContext,
  sent: WireRequest,
  deadline: Deadline,
  { signal, onStalled }: { readonly signal: AbortSignal; readonly onStalled: () => void },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { client, timeouts, clock } = context;
  const assembler = new CompletionAssembler(callIdsIn(context.request));
  const toOwnName = ownNames(context.request, sent);
  const either = AbortSignal.any([signal, deadline.signal]);
  let hasBegun = false;
  let cancelStall: CancelTimer = ignore;
  deadline.restart(timeouts.firstEventMs);
  try {
    // The SDK's own timeout covers the headers only; the deadline covers those and every pause that follows.
    const options = { body: sent, signal: either, timeout: timeouts.firstEventMs, stream: true };
    const response = await client.post("/chat/completions", options).asResponse();
    for await (const value of readCompletionEvents(response)) {
      const events = value === endMark ? assembler.complete() : assembler.accept(value);
      cancelStall();
      if (!hasBegun && events.length === 0) cancelStall = clock.setTimer(silentConnectionMs, onStalled);
      if (events.length > 0) {
        // What was read before the abort would still be delivered.
        signal.throwIfAborted();
        hasBegun = true;
        // Only the wait for the vendor is timed, never the consumer's work between two events.
        deadline.pause();
        yield* events.map(toOwnName);
        deadline.restart(timeouts.stallMs);
      }
      if (value === endMark) break;
    }
    either.throwIfAborted();
    deadline.end();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isPromptFiltered(error)) {
      yield { type: "finished", reason: "content-filter" };
      return;
    }
    if (!assembler.isAnswerComplete) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const refusal = hasBegun ? undefined : readRefusal(error);
      if (refusal !== undefined) throw new RefusedRequest(error, refusal);
      throw toUpstreamError(error, "the language model");
    }
  } finally {
    cancelStall();
    deadline.stop();
  }
  yield assembler.end();
}

/** A repair may have renamed tools, but not reordered them. */
function ownNames({ tools }: ModelRequest, sent: WireRequest): (event: ModelEvent) => ModelEvent {
  const own = new Map(sent.tools?.map((tool, place) => [tool.function.name, tools[place]?.name]));
  return (event) => {
    if (event.type !== "tool-call") return event;
    const name = own.get(event.call.name) ?? event.call.name;
    return { ...event, call: { ...event.call, name } };
  };
}

function callIdsIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
}

/** Ends an attempt that takes too long; `stop` also ends one that is no longer needed. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #silence: ReturnType<typeof limitSilence>;
  #isOver = false;

  constructor(clock: Clock) {
    this.#silence = limitSilence(clock, "the language model", (error) => this.#controller.abort(error));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    this.#silence.expectNothing();
  }

  /** The response is complete; aborting its request now would only close the connection. */
  end(): void {
    this.#silence.expectNothing();
    this.#isOver = true;
  }

  restart(delayMs: number): void {
    this.#silence.expect(delayMs);
  }

  stop(): void {
    this.#silence.expectNothing();
    if (this.#isOver) return;
    this.#controller.abort(new DOMException("the completion was closed", "AbortError"));
  }
}
