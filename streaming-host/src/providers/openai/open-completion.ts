/** One attempt at one completion, which counts as open as soon as its first event is known. */
import { isDeepStrictEqual } from "node:util";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { explainedError } from "@voice/shared/platform/errors";
import type OpenAI from "openai";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { CompletionAssembler } from "./completion-assembler.ts";
import { isPromptFiltered, toUpstreamError } from "./errors.ts";
import type { RefusedValues } from "../refused-values.ts";
import { refusedParameter, rememberRefused, withoutRefused } from "./refused-parameters.ts";
import type { Adjustment } from "./refused-parameters.ts";
import { toCompletionParams } from "./request.ts";
import type { RequestDialect } from "./request.ts";
import { inStrictOrder } from "./strict-order.ts";

export type CompletionTimeouts = { readonly firstEventMs: number; readonly stallMs: number };

export type CompletionContext = {
  readonly client: OpenAI;
  readonly request: ModelRequest;
  readonly deploymentId: string;
  readonly dialect: RequestDialect;
  /** What this deployment is known to refuse; learnt here, kept by the caller. */
  readonly refused: RefusedValues<Adjustment>;
  readonly timeouts: CompletionTimeouts;
  readonly clock: Clock;
};

export interface OpenCompletion {
  events(): AsyncGenerator<ModelEvent, void, undefined>;
  /** Idempotent; closes the vendor's socket if the answer is still coming. */
  close(): void;
}

export async function openCompletion(context: CompletionContext, signal: AbortSignal): Promise<OpenCompletion> {
  const deadline = new Deadline(context.clock);
  const events = readCompletion(context, deadline, signal);
  const close = (): void => deadline.stop();
  try {
    const first = await events.next();
    return {
      async *events() {
        if (first.done !== true) yield first.value;
        yield* events;
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function* readCompletion(
  context: CompletionContext,
  deadline: Deadline,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { timeouts } = context;
  const assembler = new CompletionAssembler(callIdsIn(context.request));
  const either = AbortSignal.any([signal, deadline.signal]);
  deadline.restart(timeouts.firstEventMs);
  try {
    const chunks = await requestCompletion(context, either);
    for await (const chunk of chunks) {
      const events = assembler.accept(chunk);
      if (events.length === 0) continue;
      // The SDK goes on with what it has already read.
      signal.throwIfAborted();
      // Only the wait for the vendor is timed, never the consumer's work between two events.
      deadline.pause();
      yield* events;
      deadline.restart(timeouts.stallMs);
    }
    // An aborted stream ends like a finished one: the SDK's loop simply stops, without an exception.
    either.throwIfAborted();
    deadline.end();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isPromptFiltered(error)) {
      yield { type: "finished", reason: "content-filter" };
      return;
    }
    if (!assembler.isAnswerComplete)
      throw deadline.signal.aborted ? deadline.signal.reason : toUpstreamError(error, "the language model");
  } finally {
    deadline.stop();
  }
  yield assembler.end();
}

function callIdsIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
}

/** What is refused is asked for at once without it, or otherwise, for as long as there is something to leave out. */
async function requestCompletion(
  context: CompletionContext,
  signal: AbortSignal,
): Promise<AsyncIterable<ChatCompletionChunk>> {
  const { client, refused, timeouts } = context;
  const params = paramsFor(context);
  try {
    // The SDK's own timeout covers the headers only; the deadline covers those and every pause that follows.
    return await client.chat.completions.create(params, { signal, timeout: timeouts.firstEventMs });
  } catch (error) {
    const parameter = refusedParameter(error);
    if (parameter === undefined) throw error;
    rememberRefused(parameter, error, params, refused);
    // Another conversation may have been told the same while this request was on its way.
    if (isDeepStrictEqual(paramsFor(context), params)) throw error;
    return await requestCompletion(context, signal);
  }
}

function paramsFor({ request, deploymentId, dialect, refused }: CompletionContext) {
  const isOrdered = refused.has("order", undefined);
  const ordered = isOrdered ? { ...request, messages: inStrictOrder(request.messages) } : request;
  return withoutRefused(toCompletionParams(ordered, deploymentId, dialect), refused);
}

/** Ends an attempt that takes too long; `stop` also ends one that is no longer wanted. */
class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #cancel: CancelTimer = () => {};
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  pause(): void {
    this.#cancel();
  }

  /** The answer is complete; aborting its request now would only close the connection. */
  end(): void {
    this.#cancel();
    this.#isOver = true;
  }

  restart(delayMs: number): void {
    this.#cancel();
    this.#cancel = this.#clock.setTimer(delayMs, () => {
      this.#controller.abort(explainedError("upstream_timeout", `the language model was silent for ${delayMs} ms`));
    });
  }

  stop(): void {
    this.#cancel();
    if (this.#isOver) return;
    this.#controller.abort(new DOMException("the completion was closed", "AbortError"));
  }
}
