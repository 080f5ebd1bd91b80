/**
 * The event delivery: subscribes a webhook after its handshake, and delivers incoming calls to it at least once (Event Grid, "Webhook event
 * delivery" and "Message delivery and retry": docs/vendors/event-grid.md).
 */
import { randomUUID } from "node:crypto";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import { z } from "zod";
import { pause } from "@voice/shared/platform/pause";
import { identifierOf } from "./call-requests.ts";
import type { EmulatedCall } from "./emulated-call.ts";

/** What an incoming call's event contains. */
type AnnouncedCall = Pick<EmulatedCall, "from" | "to" | "serverCallId" | "correlationId">;

export interface EventGrid {
  /** Performs the validation handshake with the webhook; rejects if it fails. */
  subscribe(webhookUrl: string): Promise<void>;
  /** Resolves with the status of the last attempt. */
  deliverIncomingCall(call: AnnouncedCall, incomingCallContext: string): Promise<number>;
}

export interface EventGridOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How many times each event is delivered, because the service promises at-least-once delivery. */
  readonly copies: number;
  /** When a failed delivery is retried. */
  readonly retries: DeliveryRetries;
  /** Resolves with the status and the body of the answer; the status is 0 if nobody answered. */
  readonly post?: PostEvent | undefined;
}

/**
 * `as documented`: the service's own schedule, so slow that a caller may hang up before the second attempt. `soon`:
 * within a second, for tests of what follows a retry.
 */
export type DeliveryRetries = "as documented" | "soon";

export type PostEvent = (
  url: string,
  kind: string,
  event: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const topic = "/subscriptions/local/resourceGroups/local/providers/Microsoft.Communication/CommunicationServices/local";
/** The service retries for a day; an incoming call's context goes stale long before that. */
const retryDelaysMs: Readonly<Record<DeliveryRetries, readonly number[]>> = {
  "as documented": [10_000, 30_000, 60_000],
  soon: [1000, 3000, 10_000],
};
/** After these statuses the service waits at least this long before the next attempt. */
const leastWaitsMs: ReadonlyMap<number, number> = new Map([
  [404, 300_000],
  [408, 120_000],
  [503, 30_000],
]);
const answerTimeoutMs = 30_000;
/** Statuses after which the service does not retry. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 413]);

export function createEventGrid(options: EventGridOptions): EventGrid {
  const { clock, signal, copies, retries, post = postWithin(options.signal) } = options;
  let webhook: string | undefined;

  /** Undefined when there is no retry. */
  function waitMs(status: number, attempt: number): number | undefined {
    if ((status >= 200 && status <= 204) || finalStatuses.has(status)) return undefined;
    const delayMs = retryDelaysMs[retries][attempt];
    if (delayMs === undefined || retries === "soon") return delayMs;
    return Math.max(delayMs, leastWaitsMs.get(status) ?? 0);
  }

  /** Resolves with the status of the last attempt. */
  async function deliver(url: string, event: unknown): Promise<number> {
    for (let attempt = 0; ; attempt++) {
      const { status } = await post(url, "Notification", event);
      const delayMs = waitMs(status, attempt);
      if (delayMs === undefined) return status;
      await pause(clock, delayMs, signal);
      if (signal.aborted) return status;
    }
  }

  function envelope(eventType: string, subject: string, data: unknown): Readonly<Record<string, unknown>> {
    return {
      id: randomUUID(),
      topic,
      subject,
      eventType,
      eventTime: new Date(clock.wallNow()).toISOString(),
      dataVersion: "1.0",
      metadataVersion: "1",
      data,
    };
  }

  return {
    async subscribe(webhookUrl) {
      const validationCode = randomUUID();
      const { status, body } = await post(
        webhookUrl,
        "SubscriptionValidation",
        envelope("Microsoft.EventGrid.SubscriptionValidationEvent", "", { validationCode }),
      );
      const answer = z.object({ validationResponse: z.literal(validationCode) }).safeParse(body);
      if (status !== 200 || !answer.success)
        throw new VoiceError("upstream_unavailable", `the webhook failed the validation handshake (${status})`);
      webhook = webhookUrl;
    },
    async deliverIncomingCall(call, incomingCallContext) {
      if (webhook === undefined)
        throw new VoiceError("dependency_not_ready", "nobody has subscribed to incoming calls");
      const event = envelope("Microsoft.Communication.IncomingCall", `/phoneCall/caller/${call.from}`, {
        to: identifierOf(call.to),
        from: identifierOf(call.from),
        serverCallId: call.serverCallId,
        callerDisplayName: "",
        incomingCallContext,
        correlationId: call.correlationId,
      });
      let status = 0;
      for (let copy = 0; copy < copies && !signal.aborted; copy++) status = await deliver(webhook, event);
      return status;
    },
  };
}

function postWithin(signal: AbortSignal): PostEvent {
  return async (url, kind, event) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "aeg-event-type": kind },
        body: JSON.stringify([event]),
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch {
      return { status: 0, body: undefined }; // nobody is there; if that lasts, the retries run out
    }
  };
}
