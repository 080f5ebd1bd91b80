/** Two phones that talk with each other, because the service has left them alone. */
import type { Ear } from "../../phone/handset.ts";

export class PhonesTogether {
  /** Resolves when one of them has hung up. */
  readonly ended: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  readonly #first: Ear;
  readonly #second: Ear;
  #isOver = false;

  /** The one who had the service at the other end, and the one who has taken its place. */
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

  /** What each of them makes of it. */
  end(first: string, second: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#first.onEnded(first);
    this.#second.onEnded(second);
    this.#ended.resolve();
  }
}
