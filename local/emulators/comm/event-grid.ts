/** The event delivery: subscribes a webhook after its handshake, and delivers incoming calls to it at least once. */
import { randomUUID } from "node:crypto";
import { VoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import { z } from "zod";
import { pause } from "@voice/shared/platform/pause";
import { identifierOf } from "./call-requests.ts";
import type { EmulatedCall } from "./emulated-call.ts";

export interface EventGrid {
  /** Proves that whoever answers at the address wants the events; rejects where the handshake fails. */
  subscribe(webhookUrl: string): Promise<void>;
  /** Resolves with the status of the last attempt. */
  deliverIncomingCall(call: EmulatedCall, incomingCallContext: string): Promise<number>;
}

export interface EventGridOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How often each event is delivered; the service promises at least once. */
  readonly copies: number;
}

const topic = "/subscriptions/local/resourceGroups/local/providers/Microsoft.Communication/CommunicationServices/local";
/** The service waits 10 s, 30 s, 1 min, …; an incoming call does not ring that long, so only the first ones matter. */
const retryDelaysMs = [1000, 3000, 10_000];
const answerTimeoutMs = 30_000;
/** Answers that the service does not try again after. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 413]);

export function createEventGrid({ clock, signal, copies }: EventGridOptions): EventGrid {
  let webhook: string | undefined;

  async function post(url: string, kind: string, event: unknown): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "aeg-event-type": kind },
        body: JSON.stringify([event]),
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      return { status: response.status, body: await response.json().catch(() => undefined) };
    } catch {
      return { status: 0, body: undefined }; // nobody there; the retries say so in the end
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
      for (let copy = 0; copy < copies; copy++) {
        for (const delayMs of [0, ...retryDelaysMs]) {
          await pause(clock, delayMs, signal);
          if (signal.aborted) return status;
          ({ status } = await post(webhook, "Notification", event));
          if ((status >= 200 && status <= 204) || finalStatuses.has(status)) break;
        }
      }
      return status;
    },
  };
}
