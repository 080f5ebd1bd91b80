/** Two phones that talk with each other, because the service has put the call through and left. */
import type { Ear, Handset } from "../../phone/handset.ts";

export interface PutThrough {
  readonly callId: string;
  readonly sampleRateHz: number;
  /** What the one who was put through hears. */
  readonly ear: Ear;
  /** The phone that has taken the call. */
  readonly handset: Handset;
}

export class PhonesTogether {
  /** Resolves when one of them has hung up. */
  readonly ended: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #first: Ear;
  readonly #second: Ear;
  #isOver = false;

  constructor({ callId, sampleRateHz, ear, handset }: PutThrough) {
    this.ended = this.#ended.promise;
    this.#first = ear;
    this.#second = handset.talk({
      callId,
      sampleRateHz,
      speak: (frame) => ear.onAudio(frame),
      press: (key) => ear.onKeys(key),
      hangUp: () => this.end("the other one hung up", "the phone hung up"),
    });
  }

  /** The one who was put through speaks. */
  speak(frame: Int16Array): void {
    if (!this.#isOver) this.#second.onAudio(frame);
  }

  press(key: string): void {
    if (!this.#isOver) this.#second.onKeys(key);
  }

  /** What each of them makes of it. */
  end(first: string, second: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#first.onEnded(first);
    this.#second.onEnded(second);
    this.#ended.resolve();
  }
}
