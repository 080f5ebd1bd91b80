/** The product's own recogniser on one thread, fed as fast as it can hear: text, and the processor time that it took. */
import type { Agent } from "@voice/shared/catalog/agent";
import { GrammarCache } from "@voice/local-voice/recogniser/grammar-cache";
import { loadDecoderFactory } from "@voice/local-voice/recogniser/decoder";
import { createDecoderPool } from "@voice/local-voice/recogniser/decoder-pool";
import { pronounce } from "@voice/local-voice/recogniser/pronunciation";
import { createSecondOpinion } from "@voice/local-voice/recogniser/second-opinion";
import { RecognisedStream } from "@voice/local-voice/recogniser/recognised-stream";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { packOf } from "@voice/shared/languages/packs";
import { hearingRateHz } from "./callers.ts";

interface Heard {
  readonly text: string;
  /** The recogniser's guess, where there is no text. */
  readonly guess: string | undefined;
  readonly cpuMs: number;
  readonly segments: number;
}

export interface HearingListener {
  hear(line: Int16Array, agent: Agent): Promise<Heard>;
}

const frameSamples = hearingRateHz / 50;

export async function createHearingListener(): Promise<HearingListener> {
  const flite = await compileFlite();
  const createDetector = await loadVoiceActivity();
  const factory = await loadDecoderFactory((word) => pronounce(flite, word));
  const decoders = await createDecoderPool(factory, { warm: 1, max: 12 });
  const secondOpinion = createSecondOpinion(await factory.create({ hearsAccents: true }));
  const grammars = new GrammarCache();

  return {
    async hear(line, agent) {
      const hints = {
        examples: [...agent.examples, ...packOf("en").turnWords.everyday],
        phrases: agent.speech.phrases,
      };
      const grammar = grammars.grammarFor(hints);
      await decoders.prepare(grammar, new Set([grammar]));
      const texts: string[] = [];
      const guesses: string[] = [];
      const stream = new RecognisedStream({
        sampleRateHz: hearingRateHz,
        segmentationSilenceMs: 500,
        decoders,
        secondOpinion,
        createDetector,
        grammar,
        sentenceState: (_, text) => grammars.sentenceState(grammar, text),
        onPartial: () => undefined,
        onFinal({ text, guess }) {
          texts.push(text);
          if (guess !== undefined) guesses.push(guess);
        },
      });
      const before = process.cpuUsage();
      for (let at = 0; at < line.length; at += frameSamples) stream.write(line.subarray(at, at + frameSamples));
      stream.flush();
      const { user, system } = process.cpuUsage(before);
      stream.close();
      const text = texts.filter((part) => part !== "").join(" ");
      return {
        text,
        guess: text === "" ? guesses.at(-1) : undefined,
        cpuMs: (user + system) / 1000,
        segments: texts.length,
      };
    },
  };
}
