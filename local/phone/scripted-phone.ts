/**
 * A person with a phone, made of software: lets it ring, picks up, follows a script with a synthetic voice in real time,
 * and hangs up.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError, VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import type { ConversationRecording } from "../person/conversation-recording.ts";
import { followScript } from "../person/follow-script.ts";
import type { TranscriptLine } from "../person/transcript.ts";
import { runAnsweringMachine } from "./answering-machine.ts";
import type { Ear, Handset, Line, RingingCall, RingOutcome } from "./handset.ts";
import { PhoneLine } from "./phone-line.ts";
import type { PhoneEvent, PhoneScript } from "./phone-script.ts";

export interface ScriptedPhoneOptions {
  readonly script: PhoneScript;
  readonly clock: Clock;
  /** Makes words audible: PCM16 mono. */
  readonly speakText: (text: string, sampleRateHz: number) => Promise<Int16Array>;
  readonly onEvent?: ((event: PhoneEvent) => void) | undefined;
  /** Reads the service's own transcript of a call, until the signal is aborted. */
  readonly readAlong?:
    | ((callId: string, onLine: (line: TranscriptLine) => void, signal: AbortSignal) => Promise<void>)
    | undefined;
}

export class ScriptedPhone implements Handset {
  readonly events: PhoneEvent[] = [];
  /** Resolves when its call is over, or has stopped ringing. */
  readonly finished: Promise<void>;
  readonly #finished = Promise.withResolvers<void>();
  readonly #options: ScriptedPhoneOptions;
  #recording: ConversationRecording | undefined;

  constructor(options: ScriptedPhoneOptions) {
    this.#options = options;
    this.finished = this.#finished.promise;
    // During a call, its end is what finishes it.
    options.script.leaves?.addEventListener("abort", () => {
      if (this.#recording === undefined) this.#finished.resolve();
    });
  }

  /** The phone's side is the caller's, the service's the agent's; undefined as long as nobody talks. */
  get recording(): ConversationRecording | undefined {
    return this.#recording;
  }

  async ring(call: RingingCall, signal: AbortSignal): Promise<RingOutcome> {
    const { clock, script } = this.#options;
    const ringsSinceMs = clock.now();
    this.#report({ kind: "ringing", ...call });
    const gone = script.leaves === undefined ? signal : AbortSignal.any([signal, script.leaves]);
    await pause(clock, script.pickUpAfterMs, gone);
    if (gone.aborted) {
      this.#finished.resolve();
      return "declined";
    }
    this.#report({ kind: "picked-up", rangMs: clock.now() - ringsSinceMs });
    return "answered";
  }

  talk(networkLine: Line): Ear {
    const { clock, script } = this.#options;
    const line = new PhoneLine({
      line: networkLine,
      clock,
      patienceMs: script.patienceMs,
      quietMs: script.quietMs,
      onEvent: (event) => {
        this.#report(event);
        if (event.kind === "ended") this.#finished.resolve();
      },
    });
    this.#recording = line.recording;
    this.#readAlong(line, networkLine.callId);
    script.leaves?.addEventListener("abort", () => line.hangUp(), { once: true, signal: line.over });
    this.#follow(line).catch((error: unknown) => {
      line.end(`the phone broke: ${toVoiceError(error).message}`);
      line.hangUp();
    });
    return line.ear;
  }

  /** If the transcript cannot be read, the report says so, and the call continues. */
  #readAlong(line: PhoneLine, callId: string): void {
    const onLine = (said: TranscriptLine): void => line.report({ kind: "transcribed", atMs: line.atMs, ...said });
    this.#options.readAlong?.(callId, onLine, line.over).catch((error: unknown) => {
      onLine({ label: "error", text: `no transcript: ${toVoiceError(error).message}` });
    });
  }

  async #follow(line: PhoneLine): Promise<void> {
    const { script, speakText } = this.#options;
    if (script.machine !== undefined) return runAnsweringMachine(line, script.machine, speakText);
    await followScript(line, script, {
      async toSamples(action, sampleRateHz) {
        if (action.kind === "play") throw new VoiceError("validation_error", "a phone plays no recordings");
        return speakText(action.text, sampleRateHz);
      },
      onAction(action) {
        const { atMs } = line;
        if (action.kind === "say") line.report({ kind: "said", atMs, text: action.text });
        if (action.kind === "press") line.report({ kind: "pressed", atMs, keys: action.keys });
      },
    });
    if (!line.over.aborted && script.staysOnTheLine !== true) line.hangUp();
    return undefined;
  }

  #report(event: PhoneEvent): void {
    this.events.push(event);
    this.#options.onEvent?.(event);
  }
}
