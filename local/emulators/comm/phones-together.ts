/** Two phones that talk to each other after the service has left the call. */
import type { Ear } from "../../phone/handset.ts";

export class PhonesTogether {
  /** Resolves when one of them has hung up. */
  readonly ended: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #first: Ear;
  readonly #second: Ear;
  #isOver = false;

  /** The phone that was talking to the service, and the one that took the service's place. */
  constructor(first: Ear, second: Ear) {
    this.ended = this.#ended.promise;
    this.#first = first;
    this.#second = second;
  }

  firstSpeaks(frame: Int16Array): void {
    if (!this.#isOver) this.#second.onAudio(frame);
  }

  firstPresses(key: string): void {
    if (!this.#isOver) this.#second.onKeys(key);
  }

  secondSpeaks(frame: Int16Array): void {
    if (!this.#isOver) this.#first.onAudio(frame);
  }

  secondPresses(key: string): void {
    if (!this.#isOver) this.#first.onKeys(key);
  }

  /** How each of them sees the call. */
  end(first: string, second: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#first.onEnded(first);
    this.#second.onEnded(second);
    this.#ended.resolve();
  }
}
