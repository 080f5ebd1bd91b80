/** One caller who speaks into a microphone that never stops, and listens to the end of each answer. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Usage } from "@voice/shared/costs/usage";
import { VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import { PacedMicrophone } from "../person/paced-microphone.ts";
import { hasWholeAnswer, latestState, readReply, type Reply } from "../person/reply.ts";
import type { ConnectedCaller } from "./connect-caller.ts";
import { answeredWithinMs, type DialogueLine } from "./dialogue-line.ts";
import type { DialogueAction } from "./dialogue.ts";
import { backgroundOf, soundsOf, type CallerVoice } from "./speaking-style.ts";

const stepMs = 40;
/** Longer than the pause between two clauses or around a handoff. */
const quietMs = 600;
/** The longest time in which nothing may happen: somebody who hears nothing for so long hangs up. */
const patienceMs = 20_000;

export interface SpokenLineParts {
  readonly clock: Clock;
  readonly caller: ConnectedCaller;
  readonly voice: CallerVoice;
}

export class SpokenLine implements DialogueLine {
  readonly #parts: SpokenLineParts;
  readonly #microphone: PacedMicrophone;
  /** The position of the caller's latest action in the transport's records. */
  #first = 0;
  /** When the caller fell silent. */
  #sinceMs: number;

  constructor(parts: SpokenLineParts) {
    const { clock, caller, voice } = parts;
    this.#parts = parts;
    this.#sinceMs = clock.now();
    const { transport } = caller;
    this.#microphone = new PacedMicrophone({
      clock,
      sampleRateHz: transport.sampleRateHz,
      onFrame: (frame) => transport.events.onAudio(frame),
      background: backgroundOf(voice.style),
    });
    this.#microphone.start();
  }

  get sessionId(): string {
    return this.#parts.caller.sessionId;
  }

  get reply(): Reply {
    const records = this.#parts.caller.transport.records.slice(this.#first);
    // Words may be recognised while the caller still speaks; the answer counts from when they have finished.
    return { ...readReply(records, 0), firstAudioMs: readReply(records, this.#sinceMs).firstAudioMs };
  }

  async act(action: DialogueAction): Promise<void> {
    const { clock, caller, voice } = this.#parts;
    const { transport } = caller;
    const { events } = transport;
    const samples = await soundsOf(action, voice, transport.sampleRateHz);
    this.#first = transport.records.length;
    this.#sinceMs = clock.now();
    switch (action.kind) {
      case "dtmf":
        events.onDigits(action.keys);
        break;
      case "type":
        events.onText(action.text);
        break;
      case "pause":
        events.onControl("pause");
        await pause(clock, action.lastingMs);
        events.onControl("start");
        break;
      case "cough":
      case "say":
      case "unclear":
        if (samples !== undefined) this.#sinceMs = (await this.#microphone.speak(samples)).stoppedMs;
        break;
      default:
        action satisfies never;
    }
  }

  hearOut(): Promise<void> {
    const { clock, caller } = this.#parts;
    return this.#until(() => {
      if (clock.now() - caller.transport.lastActivityMs < quietMs) return false;
      const { reply } = this;
      if (reply.ended !== undefined) return true;
      return latestState(caller.transport.records) === "listening" && hasWholeAnswer(reply);
    });
  }

  async hearBeginning(afterMs: number): Promise<void> {
    await this.#until(() => this.reply.firstAudioMs !== undefined);
    await pause(this.#parts.clock, afterMs);
  }

  async hearNothing(): Promise<void> {
    await pause(this.#parts.clock, answeredWithinMs);
  }

  async close(): Promise<void> {
    this.#microphone.stop();
    await this.#parts.caller.hangUp();
  }

  usage(): Promise<Usage> {
    return this.#parts.caller.usage();
  }

  async #until(isOver: () => boolean): Promise<void> {
    const { clock, caller } = this.#parts;
    const fromMs = clock.now();
    while (!isOver()) {
      if (clock.now() - Math.max(fromMs, caller.transport.lastActivityMs) > patienceMs)
        throw new VoiceError("upstream_timeout", `nothing was heard within ${patienceMs / 1000} s`);
      await pause(clock, stepMs);
    }
  }
}
