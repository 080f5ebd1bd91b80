/**
 * Asks a voice model, in each pause, whether the caller has finished (TURN-17). Buffers the newest 8 s of the caller's turn for it: 256 KB
 * for each session, allocated once.
 */
import type { VoiceEndOfTurnModel } from "@voice/provider-kit/ports/end-of-turn";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type { Logger } from "@voice/shared/platform/logger";
import { toVoiceError } from "@voice/shared/platform/errors";

const frameSamples = (16_000 * vadFrameMs) / 1000;
/** 8 s: the input length with which such models are trained. */
const keptFrames = 8000 / vadFrameMs;
/** Half a second from before the caller spoke, as in the recordings with which such models are trained. */
const framesBefore = 500 / vadFrameMs;
/** After 3 s of silence callers start something new. */
const framesBetweenTurns = 3000 / vadFrameMs;

export class VoiceJudge {
  readonly #model: VoiceEndOfTurnModel;
  /** `stoppedMs`: identifies the pause that was judged, as passed to `speechStopped`. */
  readonly #onJudged: (stoppedMs: number, probability: number) => void;
  readonly #logger: Logger;
  readonly #kept = new Int16Array(keptFrames * frameSamples);
  /** Frames since the beginning of the session. */
  #frames = 0;
  #turnSince = 0;
  #stoppedAt = Number.NEGATIVE_INFINITY;
  #agentSpokeSince = false;
  #asking: AbortController | undefined;
  #hasFailed = false;

  constructor(model: VoiceEndOfTurnModel, onJudged: (stoppedMs: number, probability: number) => void, logger: Logger) {
    this.#model = model;
    this.#onJudged = onJudged;
    this.#logger = logger;
  }

  push(frame: Int16Array, agentIsAudible: boolean): void {
    this.#kept.set(frame, (this.#frames % keptFrames) * frameSamples);
    this.#frames++;
    this.#agentSpokeSince ||= agentIsAudible;
  }

  speechStarted(framesAgo: number): void {
    this.#asking?.abort();
    const since = this.#frames - framesAgo;
    if (this.#agentSpokeSince || since - this.#stoppedAt > framesBetweenTurns) this.#turnSince = since - framesBefore;
    this.#agentSpokeSince = false;
  }

  speechStopped(stoppedMs: number): void {
    this.#stoppedAt = this.#frames;
    this.#asking?.abort();
    this.#asking = new AbortController();
    void this.#ask(stoppedMs, this.#asking.signal);
  }

  close(): void {
    this.#asking?.abort();
  }

  /** Never rejects: without a judgement, the words alone decide when the turn ends. */
  async #ask(stoppedMs: number, signal: AbortSignal): Promise<void> {
    const model = this.#model;
    const onJudged = this.#onJudged;
    const logger = this.#logger;
    try {
      const probability = await model.judge(this.#turn(), signal);
      if (probability !== undefined && !signal.aborted) onJudged(stoppedMs, probability);
    } catch (error) {
      if (signal.aborted || this.#hasFailed) return;
      this.#hasFailed = true; // logged once, because the same failure would be logged in every pause
      logger.warn({ error, code: toVoiceError(error).code }, "the end-of-turn model failed; turns end by their words");
    }
  }

  #turn(): Int16Array {
    const count = Math.min(this.#frames - Math.max(0, this.#turnSince), keptFrames);
    const turn = new Int16Array(count * frameSamples);
    const from = (this.#frames - count) % keptFrames;
    const untilEnd = Math.min(count, keptFrames - from);
    turn.set(this.#kept.subarray(from * frameSamples, (from + untilEnd) * frameSamples));
    turn.set(this.#kept.subarray(0, (count - untilEnd) * frameSamples), untilEnd * frameSamples);
    return turn;
  }
}
