/**
 * The order in which events that arrive together are handled. When a turn ends the service sends half a dozen, and the caller waits for
 * the last of them, the answer's first audio. Nobody waits for the caller's own words, but publishing and storing them takes a third
 * of the time that all of these events take (50 of 150 µs), so they wait until the audio has been sent.
 */

/** An event's type stands near its beginning; 13,000 characters of audio may follow. One that is not found here changes no order. */
const headCharacters = 150;
/** What the caller said, of which nothing is heard. They keep their order. */
const unhurried = ['"input_audio_buffer.committed"', '"conversation.item.'];
/** The beginning of an answer. */
const urgent = [
  '"response.created"',
  '"response.output_item.added"',
  '"response.content_part.added"',
  '"response.audio.delta"',
  '"response.output_audio.delta"',
];

export class AudioFirst {
  readonly #handle: (text: string) => void;
  #waiting: string[] = [];

  constructor(handle: (text: string) => void) {
    this.#handle = handle;
  }

  /** Handles an event, or lets it wait until the end of the event loop's turn. */
  push(text: string): void {
    const start = text.slice(0, headCharacters);
    if (namesOneOf(unhurried, start)) {
      if (this.#waiting.push(text) === 1) setImmediate(() => this.handleWaiting());
      return;
    }
    if (this.#waiting.length > 0 && !namesOneOf(urgent, start)) this.handleWaiting();
    this.#handle(text);
  }

  /** Nothing follows, or what follows is no event: the connection is lost, after which the caller's words would come too late. */
  handleWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const text of waiting) this.#handle(text);
  }
}

function namesOneOf(types: readonly string[], start: string): boolean {
  return types.some((type) => start.includes(type));
}
