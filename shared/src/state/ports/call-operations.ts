/**
 * What is asked of the communication service about a call, each thing once, and how it ended. The service says only later,
 * by a callback to any process, how an operation went: whoever carries it out waits for it here, and is told at once.
 */

export interface CallOperation {
  readonly callId: string;
  /** What the operation is called towards the service, which repeats it in its callback. The same on every host. */
  readonly operationContext: string;
}

export type OperationOutcome =
  | { readonly ok: true }
  /** Why it failed, in words that an agent may say. */
  | { readonly ok: false; readonly reason: string };

export interface BegunOperation {
  /** For whoever has begun it; everybody later finds it begun, and nobody knows whether the service was asked. */
  readonly isNew: boolean;
  /** When it was begun, on the wall clock: the same for everybody, so that it can be asked for again as the same wish. */
  readonly atMs: number;
}

export interface OutcomeWait {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CallOperations {
  begin(operation: CallOperation): Promise<BegunOperation>;
  /** Tells everybody who waits. The first outcome stands, also against a later one; resolves to the one that stands. */
  settle(operation: CallOperation, outcome: OperationOutcome): Promise<OperationOutcome>;
  /** How it ended; undefined while nobody has said. */
  find(operation: CallOperation): Promise<OperationOutcome | undefined>;
  /**
   * How it ended, as soon as that is known, also when it ended before anybody asked. Undefined when the time is over or
   * the signal is aborted. Never rejects: a store that is away has no news until it is back.
   */
  outcome(operation: CallOperation, wait: OutcomeWait): Promise<OperationOutcome | undefined>;
}
