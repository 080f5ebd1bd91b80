/**
 * Deliveries to other people's servers, and to the archive, that are still to be made. A delivery belongs to one process at a time: taking
 * it makes it due again later, in case that process dies. What was delivered is remembered, so that the same event is
 * never put in twice.
 */
import type { WebhookType } from "../../contracts/webhooks/webhook-event.ts";

export interface WebhookFact {
  /** The event's id: the same for everybody who notices that it happened. */
  readonly id: string;
  readonly type: WebhookType;
  /** The id of the call, or of the session. */
  readonly subject: string;
  /** Deleting this session takes the delivery back. */
  readonly sessionId: string;
  /** Whose the conversation is (`ownerMark`); absent in deliveries of older versions. */
  readonly ownerMark?: string | undefined;
  /** For a handover: the operation on the call. */
  readonly operation?: string | undefined;
  /** For the archive: when the conversation's session was created, and until when it had certainly been stored. */
  readonly conversation?: { readonly createdAtMs: number; readonly storedAtMs: number } | undefined;
}

/** Not the name of any receiver of webhooks, which is made of their address. */
export const archiveReceiver = "archive";

/**
 * Without a mark, it is anybody's. What is for the archive stays, because somebody may be writing it just now: whoever has it finds
 * that the session is gone, and takes out of the archive what was written.
 */
export function isTakenBack(
  { ownerMark, receiver }: Partial<Pick<WebhookDelivery, "ownerMark" | "receiver">>,
  mark: string | undefined,
): boolean {
  return receiver !== archiveReceiver && (mark === undefined || ownerMark === undefined || ownerMark === mark);
}

export interface WebhookDelivery extends WebhookFact {
  /** Names the receiver without its address, which may contain a key. */
  readonly receiver: string;
  /** Absent while it is not known whether the event happens: whoever takes the delivery finds out. */
  readonly body?: string | undefined;
}

export interface TakenDelivery extends WebhookDelivery {
  /** 1 for the first. */
  readonly attempt: number;
}

export interface WebhookOutbox {
  /**
   * Puts a delivery in, due after this time. One that is known already takes the body, and with it the time, if it had
   * none; otherwise nothing changes.
   */
  put(delivery: WebhookDelivery, dueInMs: number): Promise<void>;
  /** What has no body yet is due in this time, if that is sooner: it has happened, and its body is written when it is sent. */
  hasten(delivery: Pick<WebhookDelivery, "id" | "receiver">, dueInMs: number): Promise<void>;
  /**
   * Deliveries to one receiver that are due, each for one process only until `leaseMs` have passed. Those to receivers
   * that this process does not know stay for a process that does.
   */
  take(receiver: string, limit: number, leaseMs: number): Promise<readonly TakenDelivery[]>;
  /** Writes the body down for every further attempt. False if the delivery was taken back, or by somebody else. */
  keepBody(delivery: TakenDelivery, body: string): Promise<boolean>;
  /** It has to be tried again. Nothing changes if somebody else has taken it meanwhile. */
  postpone(delivery: TakenDelivery, dueInMs: number): Promise<void>;
  /** It was delivered, given up, or there is nothing to deliver. */
  finish(delivery: TakenDelivery): Promise<void>;
  /**
   * Takes back what receivers have not been told about a session; with an owner's mark, not what is known to be somebody
   * else's, who has used the session's id before or since.
   */
  forgetSession(sessionId: string, mark?: string): Promise<void>;
}
