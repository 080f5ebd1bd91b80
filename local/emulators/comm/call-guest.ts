/** A third participant, added by the service to a running call (`AddParticipantSucceeded` of the SDK's models/events.d.ts). */
import type { Ear, Handset } from "../../phone/handset.ts";

export interface CallGuestOptions {
  readonly callId: string;
  /** The phone number, or the raw id. */
  readonly name: string;
  readonly handset: Handset;
  readonly sampleRateHz: number;
  readonly onFrame: (frame: Int16Array) => void;
  readonly onKey: (key: string) => void;
  readonly onHungUp: () => void;
}

export class CallGuest {
  readonly name: string;
  /** What the guest hears. */
  readonly ear: Ear;
  /** The guest's audio since this was last called. */
  #frame: Int16Array | undefined;

  constructor({ callId, name, handset, sampleRateHz, onFrame, onKey, onHungUp }: CallGuestOptions) {
    this.name = name;
    this.ear = handset.talk({
      callId,
      sampleRateHz,
      speak: (frame) => {
        this.#frame = frame;
        onFrame(frame);
      },
      press: onKey,
      hangUp: onHungUp,
    });
  }

  /** Mixes both voices into one frame: the service sends everybody on the call but us as one stream. */
  mixInto(frame: Int16Array): Int16Array {
    const own = this.#frame;
    this.#frame = undefined;
    if (own === undefined) return frame;
    return frame.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (own[index] ?? 0))));
  }
}
