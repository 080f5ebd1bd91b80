/** A browser's socket as a line for a scripted person: the service's own messages tell when an answer is complete. */
import { VoiceError } from "@voice/shared/platform/errors";
import type { Listen, PersonLine } from "../person/follow-script.ts";
import type { Reply } from "../person/reply.ts";
import type { Caller } from "./caller.ts";

/** Long enough for a greeting's first clause to be synthesised; an agent without a greeting costs this wait once. */
const greetingTimeoutMs = 2500;

export interface BrowserLineOptions {
  readonly caller: Caller;
  /** The longest wait for an answer. */
  readonly timeoutMs: number;
  readonly onReply: (reply: Reply) => void;
}

export class BrowserLine implements PersonLine {
  readonly #caller: Caller;
  readonly #options: BrowserLineOptions;
  readonly #over = new AbortController();

  constructor(options: BrowserLineOptions) {
    this.#caller = options.caller;
    this.#options = options;
  }

  get sampleRateHz(): number {
    return this.#caller.session.sample_rate;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  async speak(samples: Int16Array): Promise<void> {
    await this.#caller.speak(samples);
  }

  async press(keys: string): Promise<void> {
    this.#caller.press(keys);
  }

  type(text: string): void {
    this.#caller.type(text);
  }

  pause(durationMs: number): Promise<void> {
    return this.#caller.pause(durationMs);
  }

  expectAnswer(): void {
    this.#caller.expectAnswer();
  }

  async listen({ to, interruptAfterMs }: Listen): Promise<void> {
    if (to === undefined) return this.#hearGreeting();
    const { timeoutMs, onReply } = this.#options;
    if (interruptAfterMs !== undefined) {
      await this.#caller.waitForAgentAudio(timeoutMs);
      return this.#caller.pause(interruptAfterMs);
    }
    const reply = await this.#caller.waitForReply({ timeoutMs });
    onReply(reply);
    if (reply.ended !== undefined) this.#over.abort();
    return undefined;
  }

  async #hearGreeting(): Promise<void> {
    try {
      await this.#caller.waitForReply({ timeoutMs: greetingTimeoutMs });
    } catch (error) {
      if (!(error instanceof VoiceError) || error.code !== "upstream_timeout") throw error;
    }
  }
}
