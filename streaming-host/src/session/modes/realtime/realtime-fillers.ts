/**
 * Fillers for the wait for a realtime model (FILL-1). The model makes one response at a time and is busy with this one,
 * so the cascade's synthesiser speaks the phrases in the agent's voice.
 */
import { joinSamples } from "@voice/provider-kit/audio/join-samples";
import { isAbort, toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { Conversation } from "../../conversation/conversation.ts";
import { Fillers } from "../../output/fillers.ts";

export interface RealtimeFillersOptions {
  readonly conversation: Conversation;
  readonly synthesiser: Pick<Synthesiser, "synthesise">;
  /** Of agents that name none. */
  readonly defaultLanguage: string;
  readonly sampleRateHz: number;
  readonly logger: Logger;
}

export interface Filler {
  readonly text: string;
  readonly samples: Int16Array;
}

export class RealtimeFillers {
  readonly #options: RealtimeFillersOptions;
  readonly #phrases = new Fillers();

  constructor(options: RealtimeFillersOptions) {
    this.#options = options;
  }

  /** The next phrase. */
  next(): string {
    const { agent, language } = this.#options.conversation;
    return this.#phrases.next(agent.speech.fillers, language.sentences.fillers);
  }

  /**
   * The next phrase, synthesised completely: the answer may begin at any moment, and half a phrase before it would be
   * worse than none. Undefined if synthesis failed or the phrase is no longer needed; then there is simply no filler.
   */
  async make(signal: AbortSignal): Promise<Filler | undefined> {
    const { conversation, synthesiser, defaultLanguage, sampleRateHz, logger } = this.#options;
    const { agent } = conversation;
    const text = this.next();
    const chunks: Int16Array[] = [];
    try {
      await synthesiser.synthesise(
        { text, voice: agent.voice, language: agent.speech.language ?? defaultLanguage, sampleRateHz, isFixed: true },
        { onAudio: (samples) => void chunks.push(samples), onWord: () => undefined },
        signal,
      );
    } catch (error) {
      if (!signal.aborted && !isAbort(error))
        logger.warn({ error, code: toVoiceError(error).code }, "a filler could not be spoken");
      return undefined;
    }
    return { text, samples: joinSamples(chunks) };
  }
}
