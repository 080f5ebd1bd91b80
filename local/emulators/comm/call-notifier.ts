/**
 * The events that the service sends about a call, to the callback address given when the call was placed or answered. Their names and fields
 * are those of `@azure/communication-call-automation` 1.6, models/events.d.ts.
 */
import type { CallbackSender } from "./callback-sender.ts";
import { refusals } from "./refusals.ts";
import type { Refusal } from "./refusals.ts";
import type { CallSetup } from "./call-setup.ts";

export interface CallIds {
  readonly callConnectionId: string;
  readonly serverCallId: string;
  readonly correlationId: string;
}

/**
 * 560xxx carries the SIP answer of an outbound leg, 540xxx that of an inbound call (MicrosoftDocs/azure-docs, pstn.md of the
 * communication service's troubleshooting codes).
 */
function sipSubCode(direction: "inbound" | "outbound", sip: number): number {
  return (direction === "outbound" ? 560_000 : 540_000) + sip;
}

export class CallNotifier {
  readonly #sender: CallbackSender;
  readonly #ids: CallIds;
  /** Undefined until the call has been placed or answered: before that there is no callback address. */
  setup: CallSetup | undefined;
  #participantsSequence = 0;

  constructor(sender: CallbackSender, ids: CallIds) {
    this.#sender = sender;
    this.#ids = ids;
  }

  notify(type: string, data: Readonly<Record<string, unknown>>): void {
    if (this.setup === undefined) return;
    const { callbackUri, operationContext } = this.setup;
    const { callConnectionId } = this.#ids;
    this.#sender.send(callbackUri, callConnectionId, type, {
      eventSource: `calling/callConnections/${callConnectionId}`,
      operationContext,
      resultInformation: { code: 200, subCode: 0, message: "" },
      ...data,
      ...this.#ids,
    });
  }

  notifyParticipants(participants: readonly unknown[]): void {
    this.notify("ParticipantsUpdated", { participants, sequenceNumber: ++this.#participantsSequence });
  }

  /** The call failed before anybody picked up. */
  notifyRefusal(
    type: string,
    refusal: Refusal,
    data: Readonly<Record<string, unknown>> = {},
    direction: "inbound" | "outbound" = "outbound",
  ): void {
    const { code, message } = refusals[refusal];
    this.notify(type, { ...data, resultInformation: { code, subCode: sipSubCode(direction, code), message } });
  }

  /** `nobody`: it had not been answered. */
  notifyEnd(by: "phone" | "service" | "nobody", direction: "inbound" | "outbound"): void {
    const resultInformation =
      by === "nobody"
        ? { code: 487, subCode: sipSubCode(direction, 487), message: "Request Terminated" }
        : { code: 200, subCode: by === "phone" ? sipSubCode(direction, 0) : 0, message: "The conversation has ended." };
    this.notify("CallDisconnected", { resultInformation });
  }

  /** The call is not where a step that the service has accepted needs it, for instance because it came too late. */
  notifyRefusedStep(type: string, data: Readonly<Record<string, unknown>>): void {
    const resultInformation = { code: 400, subCode: 8501, message: "The call is not in a state that allows it." };
    this.notify(type, { ...data, resultInformation });
  }

  /** The result that the service reports for a request it accepted and could not carry out. */
  notifyUnplayable(type: string, operationContext: string | undefined): void {
    const resultInformation = { code: 400, subCode: 8536, message: "The play source could not be played." };
    this.notify(type, { operationContext, resultInformation });
  }
}
