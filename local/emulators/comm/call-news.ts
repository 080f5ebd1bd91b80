/** What the service tells about a call, at the address that whoever has the call has given. */
import type { CallbackSender } from "./callback-sender.ts";
import { refusals } from "./refusals.ts";
import type { Refusal } from "./refusals.ts";
import type { CallSetup } from "./call-setup.ts";

export interface CallIds {
  readonly callConnectionId: string;
  readonly serverCallId: string;
  readonly correlationId: string;
}

export class CallNews {
  readonly #sender: CallbackSender;
  readonly #ids: CallIds;
  /** Nobody has the call, and nobody is told. */
  setup: CallSetup | undefined;
  #participantsSequence = 0;

  constructor(sender: CallbackSender, ids: CallIds) {
    this.#sender = sender;
    this.#ids = ids;
  }

  tell(type: string, data: Readonly<Record<string, unknown>>): void {
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

  tellParticipants(participants: readonly unknown[]): void {
    this.tell("ParticipantsUpdated", { participants, sequenceNumber: ++this.#participantsSequence });
  }

  /** Nobody has picked up. */
  tellRefusal(type: string, refusal: Refusal, data: Readonly<Record<string, unknown>> = {}): void {
    const { code, message } = refusals[refusal];
    this.tell(type, { ...data, resultInformation: { code, subCode: 560_000 + code, message } });
  }

  /** The service's words for a request that it took and could not carry out. */
  tellUnplayable(type: string, operationContext: string | undefined): void {
    const resultInformation = { code: 400, subCode: 8536, message: "The play source could not be played." };
    this.tell(type, { operationContext, resultInformation });
  }
}
