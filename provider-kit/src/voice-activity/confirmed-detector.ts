/**
 * Has a model of speech confirm what a cheap detector takes for speech. The model takes 1.2 ms for each verdict, so it is asked where the
 * verdict decides something: when somebody seems to begin, and now and then while somebody seems to go on without a breath. On a quiet line
 * that is once or twice for each turn. Pure, on the frame path.
 */
import { createResampler, type Resampler } from "@voice/provider-kit/audio/resample";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type {
  CreateVoiceActivityDetector,
  VadSensitivity,
  VoiceActivityDetector,
} from "@voice/provider-kit/ports/voice-activity";
import { countBits } from "./count-bits.ts";
import { speechModelRateHz, stretchSamples, type JudgeSpeech } from "./speech-model.ts";

const windowFrames = 8;
const windowMask = (1 << windowFrames) - 1;
/** So many of 8 frames pass before the model has been asked: one less than the session takes for the beginning of speech over the agent's voice. */
const unconfirmedFrames: Readonly<Record<VadSensitivity, number>> = { low: 6, medium: 4, high: 3 };
/** The same on a line that is known to sound like speech: fewer than any listener takes for a beginning. */
const doubtfulUnconfirmedFrames = 3;
/** The model recognises one beginning in eight after 80 ms, five of six after 110 ms, and nearly all after 180 ms. */
const onsetFrames = 100 / vadFrameMs;
/** After the first refusal, the second, and so on. */
const waitsFrames = [1, 1, 2, 3, 5, 10];
/** So many refusals in a row are more than the beginning of a word takes. */
const refusalsForDoubt = 5;
/** Speech seldom goes on for longer without a pause of 160 ms. */
const unbrokenFrames = 1200 / vadFrameMs;
/** Between two questions about speech without a pause: on a line on which the model has refused lately, and otherwise. */
const doubtfulEachFrames = 100 / vadFrameMs;
const eachFrames = 800 / vadFrameMs;
const doubtFrames = 20_000 / vadFrameMs;
/** What follows within a second of confirmed speech is believed to be more of it. */
const trustFrames = 1000 / vadFrameMs;
/** And nothing is believed for longer without a question: music with pauses may follow the caller's words at once. */
const longestTrustFrames = 3000 / vadFrameMs;

const fullScale = 32_768;
const frameSamples = (speechModelRateHz * vadFrameMs) / 1000;
/** Whole frames. */
const ringSamples = Math.ceil(stretchSamples / frameSamples) * frameSamples;
/** The stretch that is judged, reused by all detectors of the thread. */
const stretch = new Float32Array(stretchSamples);

type DetectorOptions = Parameters<CreateVoiceActivityDetector>[0];

export class ConfirmedDetector implements VoiceActivityDetector {
  readonly #cheap: VoiceActivityDetector;
  readonly #judge: JudgeSpeech;
  readonly #resampler: Resampler;
  readonly #unconfirmedFrames: number;
  /** The newest audio; the oldest is at `#ringAt`. */
  readonly #ring = new Int16Array(ringSamples);
  #ringAt = 0;
  /** The cheap detector's last verdicts, one bit each. */
  #recent = 0;
  #quietFrames = 0;
  /** Frames of speech since the last pause. */
  #unbroken = 0;
  #isConfirmed = false;
  /** Frames since the model agreed last that somebody is speaking. */
  #agreedFrames = 0;
  /** How often in a row the model has found no speech. */
  #refusals = 0;
  /** Frames until the model judges again. */
  #waitFrames = 0;
  /** Frames during which the line counts as one that sounds like speech without any. */
  #doubtFrames = 0;

  constructor(cheap: VoiceActivityDetector, judge: JudgeSpeech, { sampleRateHz, sensitivity }: DetectorOptions) {
    this.#unconfirmedFrames = unconfirmedFrames[sensitivity];
    this.#cheap = cheap;
    this.#judge = judge;
    this.#resampler = createResampler(sampleRateHz, speechModelRateHz);
  }

  isSpeech(frame: Int16Array): boolean {
    const seemsSpeech = this.#cheap.isSpeech(frame);
    this.#hold(this.#resampler.process(frame));
    this.#recent = ((this.#recent << 1) | (seemsSpeech ? 1 : 0)) & windowMask;
    this.#quietFrames = seemsSpeech ? 0 : this.#quietFrames + 1;
    this.#agreedFrames += 1;
    this.#waitFrames = Math.max(0, this.#waitFrames - 1);
    this.#doubtFrames = Math.max(0, this.#doubtFrames - 1);
    if (this.#quietFrames >= windowFrames) this.#pause();
    else this.#unbroken += 1;
    if (!seemsSpeech) return false;
    return this.#isConfirmed ? this.#continues() : this.#begins();
  }

  close(): void {
    this.#cheap.close();
  }

  #pause(): void {
    this.#unbroken = 0;
    this.#refusals = 0;
    if (this.#quietFrames >= trustFrames) this.#isConfirmed = false;
  }

  #begins(): boolean {
    const passed = this.#doubtFrames > 0 ? doubtfulUnconfirmedFrames : this.#unconfirmedFrames;
    if (countBits(this.#recent) <= passed) return true;
    if (this.#unbroken < onsetFrames || this.#waitFrames > 0) return false;
    this.#isConfirmed = this.#askModel();
    if (this.#isConfirmed) this.#waitFrames = doubtfulEachFrames;
    return this.#isConfirmed;
  }

  #continues(): boolean {
    const isDoubtful = this.#doubtFrames > 0;
    const isLong = this.#unbroken >= unbrokenFrames;
    const isOld = this.#agreedFrames >= longestTrustFrames && this.#unbroken >= onsetFrames;
    if (this.#waitFrames > 0 || !(isDoubtful || isLong || isOld)) return true;
    this.#isConfirmed = this.#askModel();
    if (this.#isConfirmed) this.#waitFrames = isDoubtful ? doubtfulEachFrames : eachFrames;
    else this.#doubtFrames = doubtFrames;
    return this.#isConfirmed;
  }

  #askModel(): boolean {
    const first = this.#ringAt + ringSamples - stretchSamples;
    for (let at = 0; at < stretchSamples; at++) stretch[at] = (this.#ring[(first + at) % ringSamples] ?? 0) / fullScale;
    if (this.#judge(stretch)) {
      this.#refusals = 0;
      this.#agreedFrames = 0;
      return true;
    }
    this.#waitFrames = waitsFrames[Math.min(this.#refusals, waitsFrames.length - 1)] ?? 0;
    this.#refusals += 1;
    if (this.#refusals >= refusalsForDoubt) this.#doubtFrames = doubtFrames;
    return false;
  }

  #hold(samples: Int16Array): void {
    this.#ring.set(samples, this.#ringAt);
    this.#ringAt = (this.#ringAt + frameSamples) % ringSamples;
  }
}
