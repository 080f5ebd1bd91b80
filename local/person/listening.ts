/** Follows what a person hears on the phone, to tell whose turn it is. Pure: its input is samples and times. */
import { lastAudibleSample } from "./audible.ts";
import { ConversationRecording } from "./conversation-recording.ts";

export class Listening {
  readonly recording: ConversationRecording;
  #turnStartMs: number;
  #firstAudibleMs: number | undefined;
  #lastAudibleMs = 0;

  constructor(sampleRateHz: number, nowMs: number) {
    this.recording = new ConversationRecording(sampleRateHz, nowMs);
    this.#turnStartMs = nowMs;
  }

  /** Audio arrives ahead of time: it is audible when a player reaches it, not when it arrives. */
  onAudio(samples: Int16Array, nowMs: number): void {
    const startsInMs = this.recording.unplayedMs(nowMs);
    this.recording.addAgent(samples, nowMs);
    if (lastAudibleSample(samples) === -1) return;
    this.#firstAudibleMs ??= nowMs + startsInMs;
    this.#lastAudibleMs = nowMs + this.recording.unplayedMs(nowMs);
  }

  onStopAudio(nowMs: number): void {
    this.recording.dropUnplayed(nowMs);
    this.#lastAudibleMs = Math.min(this.#lastAudibleMs, nowMs);
  }

  /** The person has fallen silent; what is heard from now on is the answer. */
  startTurn(nowMs: number): void {
    this.#turnStartMs = nowMs;
    this.#firstAudibleMs = undefined;
  }

  get firstAudibleMs(): number | undefined {
    return this.#firstAudibleMs;
  }

  /** The time from the person's last word to the first word of the answer; undefined while there is none. */
  get answeredInMs(): number | undefined {
    return this.#firstAudibleMs === undefined ? undefined : Math.max(0, this.#firstAudibleMs - this.#turnStartMs);
  }

  get answerMs(): number {
    return this.#firstAudibleMs === undefined ? 0 : this.#lastAudibleMs - this.#firstAudibleMs;
  }

  hasFinished(nowMs: number, quietMs: number): boolean {
    return this.#firstAudibleMs !== undefined && nowMs - this.#lastAudibleMs >= quietMs;
  }

  hasGivenUp(nowMs: number, patienceMs: number): boolean {
    return this.#firstAudibleMs === undefined && nowMs - this.#turnStartMs >= patienceMs;
  }
}
