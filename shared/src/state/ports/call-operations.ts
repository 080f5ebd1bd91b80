/**
 * Operations that the communication service carries out on a call, each requested once, and their outcomes. The service
 * reports an outcome later, by a callback to any process; the process that requested the operation waits for it here
 * and is notified at once.
 */
import { z } from "zod";
import type { Stored } from "../stored-json.ts";

export interface CallOperation {
  readonly callId: string;
  /** The operation's id towards the service, which repeats it in its callback. The same on every host. */
  readonly operationContext: string;
}

/** `reason`: why it failed, in words that an agent may say. */
export const operationOutcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
export type OperationOutcome = Stored<typeof operationOutcome>;

export interface BegunOperation {
  /** For the host that has begun it; others find it begun, and cannot know whether the service was asked. */
  readonly isNew: boolean;
  /** When it was begun, on the wall clock: the same for every host, so that the same request can be repeated. */
  readonly atMs: number;
}

export interface OutcomeWait {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CallOperations {
  begin(operation: CallOperation): Promise<BegunOperation>;
  /** Notifies everybody who waits. The first outcome is final; resolves to it. */
  settle(operation: CallOperation, outcome: OperationOutcome): Promise<OperationOutcome>;
  /** The outcome; undefined while it is unknown. */
  find(operation: CallOperation): Promise<OperationOutcome | undefined>;
  /**
   * The outcome as soon as it is known, or at once if it is known already. Undefined if the time is over or the signal
   * is aborted. Never rejects: it waits for an unavailable store.
   */
  outcome(operation: CallOperation, wait: OutcomeWait): Promise<OperationOutcome | undefined>;
}
