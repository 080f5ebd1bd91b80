/** Somebody with a phone whom the service has called into a call that goes on. */
import type { Ear, Handset } from "../../phone/handset.ts";

export interface CallGuestOptions {
  readonly callId: string;
  /** The number, or the id. */
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
  /** What the guest has said since it was taken last. */
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

  /** Both voices in one frame: everybody but us comes in one stream. */
  mixInto(frame: Int16Array): Int16Array {
    const own = this.#frame;
    this.#frame = undefined;
    if (own === undefined) return frame;
    return frame.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (own[index] ?? 0))));
  }
}
