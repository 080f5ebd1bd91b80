/** One caller who speaks into a microphone that never stops, and listens to the end of each answer. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Usage } from "@voice/shared/costs/usage";
import { VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { CallerAction } from "../dialogues/dialogue.ts";
import type { RecordingTransport } from "../dialogues/recording-transport.ts";
import { soundsOf, type CallerVoice } from "../dialogues/speaking-style.ts";
import { PacedMicrophone } from "../person/paced-microphone.ts";
import { hasAnswer, latestState, readReply, type Reply } from "../person/reply.ts";
import type { SimulatedLine } from "./simulated-line.ts";

const stepMs = 40;
/** Longer than the pause between two clauses or around a handoff. */
const quietMs = 600;
/** The longest time in which nothing may happen: somebody who hears nothing for so long hangs up. */
const patienceMs = 20_000;

export interface SpokenCallerLineParts {
  readonly clock: Clock;
  readonly transport: RecordingTransport;
  readonly voice: CallerVoice;
  readonly hangUp: () => Promise<void>;
  readonly usage: () => Promise<Usage>;
  readonly sessionId: string;
}

export class SpokenCallerLine implements SimulatedLine {
  readonly #parts: SpokenCallerLineParts;
  readonly #microphone: PacedMicrophone;
  /** The position of the caller's latest action in the transport's records. */
  #first = 0;
  /** When the caller fell silent. */
  #sinceMs: number;

  constructor(parts: SpokenCallerLineParts) {
    const { clock, transport } = parts;
    this.#parts = parts;
    this.#sinceMs = clock.now();
    const { sampleRateHz } = transport;
    this.#microphone = new PacedMicrophone({
      clock,
      sampleRateHz,
      onFrame: (frame) => transport.events.onAudio(frame),
    });
    this.#microphone.start();
  }

  get sessionId(): string {
    return this.#parts.sessionId;
  }

  get reply(): Reply {
    const records = this.#parts.transport.records.slice(this.#first);
    // Words may be recognised while the caller still speaks; the answer counts from when they have finished.
    return { ...readReply(records, 0), firstAudioMs: readReply(records, this.#sinceMs).firstAudioMs };
  }

  async act(action: CallerAction): Promise<void> {
    const { clock, transport, voice } = this.#parts;
    const samples = await soundsOf(action, voice, transport.sampleRateHz);
    this.#first = transport.records.length;
    this.#sinceMs = clock.now();
    if (action.kind === "dtmf") transport.events.onDigits(action.keys);
    else if (samples === undefined) transport.events.onText(action.text);
    else this.#sinceMs = (await this.#microphone.speak(samples)).stoppedMs;
  }

  async hearOut(): Promise<void> {
    const { clock, transport } = this.#parts;
    const fromMs = clock.now();
    while (!this.#hasHeardAll()) {
      if (clock.now() - Math.max(fromMs, transport.lastActivityMs) > patienceMs)
        throw new VoiceError("upstream_timeout", `nothing was heard within ${patienceMs / 1000} s`);
      await pause(clock, stepMs);
    }
  }

  async close(): Promise<void> {
    this.#microphone.stop();
    await this.#parts.hangUp();
  }

  usage(): Promise<Usage> {
    return this.#parts.usage();
  }

  #hasHeardAll(): boolean {
    const { clock, transport } = this.#parts;
    if (clock.now() - transport.lastActivityMs < quietMs) return false;
    const { reply } = this;
    if (reply.ended !== undefined) return true;
    return latestState(transport.records) === "listening" && hasAnswer(reply);
  }
}
