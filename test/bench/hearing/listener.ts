/**
 * The product's own recogniser on one thread, fed as fast as it can hear: text, and the processor time that it took. It listens as a
 * session does: both recognisers, a segment that continues through pauses, and a turn that ends when the estimator has waited long enough.
 */
import { setImmediate as nextTask } from "node:timers/promises";
import type { Agent } from "@voice/shared/catalog/agent";
import { doubtfulWords } from "@voice/shared/conversation/doubtful-words";
import { silentLogger } from "@voice/shared/platform/logger";
import { systemClock } from "@voice/shared/platform/clock";
import { loadMoonshine } from "@voice/local-voice/open-vocabulary/moonshine";
import type { OpenVocabulary } from "@voice/local-voice/open-vocabulary/open-recogniser";
import { knownValuesOf } from "@voice/local-voice/open-vocabulary/known-values";
import { TwoEars } from "@voice/local-voice/open-vocabulary/two-ears";
import { loadRecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import type { CreateNoiseSuppressor } from "@voice/local-voice/recogniser/noise-suppressor";
import { compileFlite } from "@voice/local-voice/synthesiser/compile-flite";
import { createEndOfTurnEstimator } from "@voice/provider-kit/end-of-turn/estimate-end-of-turn";
import type { Expected } from "@voice/provider-kit/ports/end-of-turn";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { loadSpeechModel } from "@voice/provider-kit/voice-activity/speech-model";
import type { AwaitedAnswer, RecognisedText } from "@voice/provider-kit/ports/recogniser";
import { packOf } from "@voice/shared/languages/packs";
import { hearingRateHz } from "./callers.ts";
import { TurnEnds } from "./turn-ends.ts";

export interface Heard {
  readonly text: string;
  /** The recogniser's guess, where there is no text. */
  readonly guess: string | undefined;
  readonly cpuMs: number;
  /** In how many turns it was said: more than one where a turn ended before the caller did. */
  readonly turns: number;
  /** From the last speech until the final that ends its turn: the estimator's wait, and the processor time that was not over by then. */
  readonly finalAfterMs: number | undefined;
}

export interface HearingListener {
  /** `awaits`: what the agent has asked for. */
  hear(line: Int16Array, agent: Agent, expected?: ExpectedSpeech): Promise<Heard>;
}

interface ExpectedSpeech {
  /** `hearingRateHz` unless the line is a telephone's. */
  readonly sampleRateHz?: number | undefined;
  readonly awaits?: AwaitedAnswer | undefined;
}

/** As in a session. */
const longestPauseMs = 3000;
const frameMs = 20;
const pack = packOf("en");
const language = "en-US";

/** `ears`: `grammar` leaves the open recogniser out, as on a machine for which its runtime has no build. */
export async function createHearingListener(
  ears: "both" | "grammar" = "both",
  suppressNoise?: CreateNoiseSuppressor,
): Promise<HearingListener> {
  const judgeSpeech = await loadSpeechModel();
  const engine = await loadRecognitionEngine(
    await compileFlite(),
    { warm: 1, max: 12 },
    { judgeSpeech, suppressNoise },
  );
  const createDetector = await loadVoiceActivity(judgeSpeech);
  const estimator = createEndOfTurnEstimator(pack);
  const open = ears === "both" ? await openInProcess() : undefined;

  const hear: HearingListener["hear"] = async (line, agent, { sampleRateHz = hearingRateHz, awaits } = {}) => {
    const hints = {
      examples: [...agent.examples, ...pack.turnPhrases.everyday],
      phrases: agent.speech.phrases,
      awaits,
    };
    const grammar = engine.grammarFor(hints);
    await engine.prepare(grammar, new Set([grammar]));
    const expected: Expected =
      awaits?.type === "digits" ? { kind: "digits", length: awaits.length } : { kind: "nothing" };
    const ends = new TurnEnds(estimator, expected, {
      detector: createDetector({ sampleRateHz, sensitivity: "medium" }),
      sampleRateHz,
    });
    const finals: RecognisedText[] = [];
    let isWaiting = false;
    const results = {
      partial: (partial: RecognisedText): void => ends.partial(partial),
      final(final: RecognisedText): void {
        finals.push(final);
        ends.final(final);
      },
    };
    const both =
      open &&
      new TwoEars({
        open,
        opensUp: false,
        language,
        clock: systemClock,
        logger: silentLogger,
        onWaiting: (is) => (isWaiting = is),
        onPartial: results.partial,
        onFinal: results.final,
        onOpenWords: () => stream.forget(),
      });
    if (both !== undefined) {
      both.awaits = awaits;
      both.known = knownValuesOf(hints.examples);
    }
    const receiver = both ?? results;
    const stream = engine.open({
      sampleRateHz,
      segmentationSilenceMs: 500,
      longestPauseMs,
      hints,
      onSpeech: both && ((speech) => both.speech(speech)),
      onPartial: (partial) => receiver.partial({ ...partial, language }),
      onFinal: (final) => receiver.final({ ...final, language }),
    });
    const settled = async (): Promise<void> => {
      while (isWaiting) await nextTask();
    };
    const work = new OneCore();
    const frameSamples = sampleRateHz / 50;
    let finalAfterMs: number | undefined;
    for (let at = 0; at + frameSamples <= line.length; at += frameSamples) {
      const frame = line.subarray(at, at + frameSamples);
      stream.write(frame);
      await settled();
      const hasEnded = ends.hears(frame);
      work.hasDone((at / frameSamples + 1) * frameMs);
      if (!hasEnded) continue;
      const { waitMs, quietMs = 0 } = ends;
      stream.flush();
      await settled();
      if (waitMs !== undefined) finalAfterMs = quietMs + work.hasDone(0);
      ends.end();
    }
    const { waitMs } = ends;
    stream.flush();
    await settled();
    if (waitMs !== undefined) finalAfterMs = waitMs + work.hasDone(0);
    stream.close();
    both?.close();
    ends.close();
    const { text, guess } = conclusionOf(finals);
    return { text, guess, cpuMs: work.cpuMs, turns: ends.turns, finalAfterMs };
  };
  return { hear };
}

/**
 * One core that does everything in the order in which the audio arrives, each piece once it is there. The product has a thread for each
 * recogniser, so a caller waits no longer than this.
 */
class OneCore {
  #used = process.cpuUsage();
  #arrivedMs = 0;
  #doneMs = 0;
  cpuMs = 0;

  /** What was worked since the last call belongs to audio that arrived at this time, or before. How long after the latest audio it is done, in ms. */
  hasDone(arrivedMs: number): number {
    const { user, system } = process.cpuUsage(this.#used);
    this.#used = process.cpuUsage();
    const tookMs = (user + system) / 1000;
    this.#arrivedMs = Math.max(this.#arrivedMs, arrivedMs);
    this.#doneMs = Math.max(this.#doneMs, this.#arrivedMs) + tookMs;
    this.cpuMs += tookMs;
    return this.#doneMs - this.#arrivedMs;
  }
}

/** What is heard after a part that is in doubt is asked about with it (TURN-16h); any other guess gives way to words. */
function conclusionOf(finals: readonly RecognisedText[]): Pick<Heard, "text" | "guess"> {
  const heard = finals.filter(({ text, guess }) => text !== "" || guess !== undefined);
  if (doubtfulWords(heard[0]?.guess ?? "").length > 0)
    return { text: "", guess: heard.map(({ text, guess = "" }) => (text === "" ? guess : text)).join(" ") };
  const text = heard.flatMap((final) => (final.text === "" ? [] : [final.text])).join(" ");
  return { text, guess: text === "" ? heard[0]?.guess : undefined };
}

async function openInProcess(): Promise<OpenVocabulary> {
  const recognise = await loadMoonshine();
  return {
    isIdle: true,
    recognise: (samples, question) => Promise.resolve(recognise(samples, question)),
    close: () => Promise.resolve(),
  };
}
