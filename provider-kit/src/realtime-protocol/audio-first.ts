/**
 * Reorders events that arrive in close succession. When a turn ends, the service sends half a dozen of them, and the caller waits for the
 * last: the first audio of the response. The caller's own transcript is not urgent, but publishing and storing it takes a third of the time
 * of all these events (70 of 240 µs), so it waits until the audio has been sent.
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/**
 * The longest wait. The events of one moment arrive in several reads, up to a millisecond apart. If the service takes longer to respond,
 * the transcript waits no longer than a fraction of a frame.
 */
const patienceMs = 5;

/**
 * The type of an event is near its beginning; 13,000 characters of audio may follow. If it is not found within these characters, the order
 * is unchanged.
 */
const headCharacters = 150;
/** Events about the caller's transcript, which cause no audio. They keep their order. */
const unhurried = ['"input_audio_buffer.committed"', '"conversation.item.'];
/** Events that precede the audio of a response. */
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

  /** Handles an event, or defers it. */
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
      setImmediate(() => this.handleWaiting()); // after the data just written has been handed to the network
    } else {
      this.handleWaiting();
      this.#handle(text);
    }
  }

  /** No event follows, or the connection was lost, after which the caller's transcript would come too late. */
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
