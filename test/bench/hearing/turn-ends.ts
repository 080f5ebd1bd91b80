/** When a session would take the caller for finished: silence for as long as the estimator waits, given the words so far. */
import { RecentAudio } from "@voice/provider-kit/audio/recent-audio";
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { Resampler } from "@voice/provider-kit/audio/resample";
import { measureProsody, prosodySamples } from "@voice/provider-kit/end-of-turn/measure-prosody";
import type { EndOfTurnEstimator, Expected } from "@voice/provider-kit/ports/end-of-turn";
import type { RecognisedText } from "@voice/provider-kit/ports/recogniser";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { VoiceActivityDetector } from "@voice/provider-kit/ports/voice-activity";
import { SpeechDetector } from "@voice/streaming-host/pipeline/listening/speech-detector";
import { hearingRateHz } from "./callers.ts";

/** The settings' defaults: `VAD_SILENCE_TIMEOUT`, and `VAD_TIMEOUT_MS` where there are no words. */
const middleMs = 500;
const wordlessMs = 2000;

export class TurnEnds {
  readonly #estimator: EndOfTurnEstimator;
  readonly #expected: Expected;
  readonly #detector: VoiceActivityDetector;
  readonly #speech = new SpeechDetector("medium");
  /** Of the current turn. */
  #finals = "";
  #partial: RecognisedText | undefined;
  #sentence: RecognisedText["sentence"];
  /** Undefined while the caller speaks, and once the turn is over. */
  #quietMs: number | undefined;
  #turns = 0;
  /** Of the voice only how far it is above the noise is measured: what pitch and loudness say was chosen by other voices. */
  #overNoiseDb: number | undefined;
  readonly #recent = new RecentAudio(prosodySamples);
  readonly #resampler: Resampler;

  constructor(
    estimator: EndOfTurnEstimator,
    expected: Expected,
    { detector, sampleRateHz }: { readonly detector: VoiceActivityDetector; readonly sampleRateHz: number },
  ) {
    this.#resampler = createResampler(sampleRateHz, hearingRateHz);
    this.#estimator = estimator;
    this.#expected = expected;
    this.#detector = detector;
  }

  /** How many turns had words. */
  get turns(): number {
    return this.#turns + Number(this.#text !== "");
  }

  partial(partial: RecognisedText): void {
    this.#partial = partial;
    this.#sentence = partial.sentence;
  }

  final({ text, sentence }: RecognisedText): void {
    this.#partial = undefined;
    this.#sentence = sentence;
    this.#finals = `${this.#finals} ${text}`.trim();
  }

  /** Whether the turn ends with this frame of the caller's. */
  hears(frame: Int16Array): boolean {
    const change = this.#speech.push(this.#detector.isSpeech(frame), false);
    this.#recent.push(this.#resampler.process(frame));
    if (change?.type === "started") this.#quietMs = undefined;
    else if (change?.type === "stopped") {
      this.#quietMs = change.framesAgo * vadFrameMs;
      this.#overNoiseDb = measureProsody(this.#recent, change.framesAgo).overNoiseDb;
    } else if (this.#quietMs !== undefined) this.#quietMs += vadFrameMs;
    return this.#quietMs !== undefined && this.#quietMs >= this.#waitMs();
  }

  /** Since the caller's last speech, while they are silent. */
  get quietMs(): number | undefined {
    return this.#quietMs;
  }

  /** From the caller's last speech until the turn ends, if they say nothing more. Undefined while they speak, and without words. */
  get waitMs(): number | undefined {
    return this.#quietMs === undefined || this.#text === "" ? undefined : this.#waitMs();
  }

  /** The final of the turn has been reported: what follows is another one. */
  end(): void {
    if (this.#text !== "") this.#turns += 1;
    this.#finals = "";
    this.#partial = undefined;
    this.#sentence = undefined;
    this.#quietMs = undefined;
  }

  /** Of the last words. */
  get overNoiseDb(): number | undefined {
    return this.#overNoiseDb;
  }

  close(): void {
    this.#detector.close();
  }

  get #text(): string {
    return `${this.#finals} ${this.#partial?.text ?? ""}`.trim();
  }

  #waitMs(): number {
    if (this.#text === "") return wordlessMs;
    const estimator = this.#estimator;
    const expected = this.#expected;
    return estimator.estimate({
      text: this.#text,
      isFinal: this.#partial === undefined,
      sentence: this.#sentence,
      expected,
      prosody: { pitchSlope: undefined, energySlope: undefined, overNoiseDb: this.#overNoiseDb },
      pauses: { count: 0, longestMs: 0 },
      middleMs,
    }).waitMs;
  }
}
