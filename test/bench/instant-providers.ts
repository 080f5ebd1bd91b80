/** Providers that take no time, so that what a turn takes is the service's own. */
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { RecognitionEvents, RecognitionOptions, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import { turnBegins, turnReaches } from "./load/turn-stages.ts";
import type { SynthesisEvents, SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";

/**
 * The first sample of a frame says what a recogniser has understood with it; a second one tells it from noise, since no voice has two
 * such beside each other. `hearing`: the question, which it may still change.
 */
export const marks = { question: 20_001, interruption: 20_002, nothing: 20_003, hearing: 20_004 } as const;
export const markSign = -20_000;

const question = `tell me about my savings account, ${"and tell me about my savings account ".repeat(5)}`;
/** It lasts 6 s; its first clause has 43 characters, as usual. Split here, because a model that takes no time splits nothing. */
const answer = `You said ${question}.`.split(/(?<= )/);

export class MarkedRecogniser implements Recogniser {
  async open({ language }: RecognitionOptions, events: RecognitionEvents): ReturnType<Recogniser["open"]> {
    let endMs = 0;
    const heard = (text: string) => ({ text, startMs: 0, endMs, language });
    return {
      write(frame) {
        endMs += 20;
        if (frame[1] !== markSign) return;
        if (frame[0] === marks.question) {
          turnBegins();
          events.onFinal(heard(question));
        } else if (frame[0] === marks.hearing) events.onPartial(heard(question));
        else if (frame[0] === marks.interruption) events.onPartial(heard("please stop that"));
        else if (frame[0] === marks.nothing) events.onFinal(heard(""));
      },
      flush: () => undefined,
      setHints: () => true,
      close: () => undefined,
    };
  }

  pool() {
    return emptyPool;
  }

  async close(): Promise<void> {
    // nothing is held
  }
}

/** Says the same whatever it is asked, a word at a time. */
export class InstantModel implements LanguageModel {
  async *stream(_request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    turnReaches("asked");
    for (const text of answer) {
      signal.throwIfAborted();
      yield { type: "text-delta", text };
    }
    yield { type: "finished", reason: "stop", usage: { inputTokens: 10, outputTokens: 5 } };
  }
}

const msPerCharacter = 25;
const longestClause = 300;

/** Its audio is made once: filling 150 KB with samples for every clause would take longer than what is measured. */
export class ToneSynthesiser implements Synthesiser {
  readonly #tones = new Map<number, Int16Array>();

  async synthesise({ text, sampleRateHz }: SynthesisRequest, events: SynthesisEvents): Promise<void> {
    turnReaches("spoken");
    const perCharacter = (sampleRateHz * msPerCharacter) / 1000;
    let tone = this.#tones.get(sampleRateHz);
    if (tone === undefined) {
      tone = new Int16Array(longestClause * perCharacter).fill(1000);
      this.#tones.set(sampleRateHz, tone);
    }
    events.onAudio(tone.subarray(0, text.length * perCharacter));
    for (const { index, 0: word } of text.matchAll(/\S+/g)) {
      const endMs = (index + word.length) * msPerCharacter;
      events.onWord({ textOffset: index, textLength: word.length, startMs: index * msPerCharacter, endMs });
    }
  }

  pool() {
    return emptyPool;
  }

  async close(): Promise<void> {
    this.#tones.clear();
  }
}
