/** The product's own recogniser on one thread, fed as fast as it can hear: text, and the processor time that it took. */
import type { Agent } from "@voice/shared/catalog/agent";
import { buildGrammar, defaultWeights } from "@voice/local-voice/recogniser/grammar";
import type { Grammar, GrammarWeights } from "@voice/local-voice/recogniser/grammar";
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
  readonly cpuMs: number;
  readonly segments: number;
}

export interface HearingListener {
  hear(line: Int16Array, agent: Agent): Promise<Heard>;
}

const frameSamples = hearingRateHz / 50;

export async function createHearingListener(weights: GrammarWeights = defaultWeights): Promise<HearingListener> {
  const flite = await compileFlite();
  const createDetector = await loadVoiceActivity();
  const factory = await loadDecoderFactory((word) => pronounce(flite, word));
  const decoders = await createDecoderPool(factory, { warm: 1, max: 12 });
  const secondOpinion = createSecondOpinion(await factory.create());
  const grammars = new Map<string, Grammar>();

  return {
    async hear(line, agent) {
      const grammar =
        grammars.get(agent.name) ??
        buildGrammar(
          { examples: [...agent.examples, ...packOf("en").turnWords.everyday], phrases: agent.speech.phrases },
          weights,
        );
      grammars.set(agent.name, grammar);
      await decoders.prepare(grammar, new Set(grammars.values()));
      const texts: string[] = [];
      const stream = new RecognisedStream({
        sampleRateHz: hearingRateHz,
        segmentationSilenceMs: 500,
        decoders,
        secondOpinion,
        createDetector,
        grammar,
        onPartial: () => undefined,
        onFinal: ({ text }) => texts.push(text),
      });
      const before = process.cpuUsage();
      for (let at = 0; at < line.length; at += frameSamples) stream.write(line.subarray(at, at + frameSamples));
      stream.flush();
      const { user, system } = process.cpuUsage(before);
      stream.close();
      return {
        text: texts.filter((text) => text !== "").join(" "),
        cpuMs: (user + system) / 1000,
        segments: texts.length,
      };
    },
  };
}
