/**
 * The order in which events are handled that follow closely on each other. When a turn ends the service sends half a dozen, and the
 * caller waits for the last of them, the answer's first audio. Nobody waits for the caller's own words, but publishing and storing
 * them takes a third of the time that all of these events take (70 of 240 µs), so they wait until the audio has been sent.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/**
 * How long they wait at most. The events of one moment arrive in several reads, up to a millisecond apart. A service that needs time
 * for its answer makes nobody wait for longer than a frame of audio would.
 */
const patienceMs = 5;

/** An event's type stands near its beginning; 13,000 characters of audio may follow. One that is not found here changes no order. */
const headCharacters = 150;
/** What the caller said, of which nothing is heard. They keep their order. */
const unhurried = ['"input_audio_buffer.committed"', '"conversation.item.'];
/** What precedes the audio of an answer. */
const beginnings = ['"response.created"', '"response.output_item.added"', '"response.content_part.added"'];
const audio = ['"response.audio.delta"', '"response.output_audio.delta"'];

export class AudioFirst {
  readonly #handle: (text: string) => void;
  readonly #clock: Clock;
  #waiting: string[] = [];
  #cancelTimer: CancelTimer | undefined;

  constructor(handle: (text: string) => void, clock: Clock) {
    this.#handle = handle;
    this.#clock = clock;
  }

  /** Handles an event, or lets it wait. */
  push(text: string): void {
    const start = text.slice(0, headCharacters);
    if (namesOneOf(unhurried, start)) {
      if (this.#waiting.push(text) === 1)
        this.#cancelTimer = this.#clock.setTimer(patienceMs, () => this.handleWaiting());
      return;
    }
    if (this.#waiting.length === 0 || namesOneOf(beginnings, start)) this.#handle(text);
    else if (namesOneOf(audio, start)) {
      this.#handle(text);
      setImmediate(() => this.handleWaiting()); // once what has just been written is on its way
    } else {
      this.handleWaiting();
      this.#handle(text);
    }
  }

  /** Nothing follows, or what follows is no event: the connection is lost, after which the caller's words would come too late. */
  handleWaiting(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) this.#handle(text);
  }
}

function namesOneOf(types: readonly string[], start: string): boolean {
  return types.some((type) => start.includes(type));
}
