/** The product's own recogniser on one thread, fed as fast as it can hear: text, and the processor time that it took. */
import type { Agent } from "@voice/shared/catalog/agent";
import { loadRecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import type { AwaitedAnswer } from "@voice/provider-kit/ports/recogniser";
import { packOf } from "@voice/shared/languages/packs";
import { hearingRateHz } from "./callers.ts";

export interface Heard {
  readonly text: string;
  /** The recogniser's guess, where there is no text. */
  readonly guess: string | undefined;
  readonly cpuMs: number;
  readonly segments: number;
}

export interface HearingListener {
  hear(line: Int16Array, agent: Agent, sampleRateHz?: number): Promise<Heard>;
  /** As a session hears what follows a question: it decides itself when the caller has finished. */
  hearAnswer(line: Int16Array, agent: Agent, awaits: AwaitedAnswer | undefined, sampleRateHz?: number): Promise<Heard>;
}

interface Expected {
  /** `hearingRateHz` unless the line is a telephone's. */
  readonly sampleRateHz?: number | undefined;
  readonly awaits?: AwaitedAnswer | undefined;
  readonly longestPauseMs?: number;
}

export async function createHearingListener(): Promise<HearingListener> {
  const engine = await loadRecognitionEngine(await compileFlite(), { warm: 1, max: 12 }, await loadSpeechModel());

  const hear = async (line: Int16Array, agent: Agent, expected: Expected): Promise<Heard> => {
    const { sampleRateHz = hearingRateHz } = expected;
    const frameSamples = sampleRateHz / 50;
    const hints = {
      examples: [...agent.examples, ...packOf("en").turnWords.everyday],
      phrases: agent.speech.phrases,
      awaits: expected.awaits,
    };
    const grammar = engine.grammarFor(hints);
    await engine.prepare(grammar, new Set([grammar]));
    const texts: string[] = [];
    const guesses: string[] = [];
    const stream = engine.open({
      sampleRateHz,
      segmentationSilenceMs: 500,
      longestPauseMs: expected.longestPauseMs,
      hints,
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
  };

  return {
    hear: (line, agent, sampleRateHz) => hear(line, agent, { sampleRateHz }),
    hearAnswer: (line, agent, awaits, sampleRateHz) =>
      hear(line, agent, { awaits, longestPauseMs: 3000, sampleRateHz }),
  };
}
