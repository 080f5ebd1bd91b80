/**
 * A call as the person at the phone has it: a microphone that never stops, an ear that knows when the other side has
 * finished, and keys. It has only the audio to go by.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import { pause } from "@voice/shared/platform/pause";
import { ConditionWaiters } from "../person/condition-waiters.ts";
import type { ConversationRecording } from "../person/conversation-recording.ts";
import type { Listen, PersonLine } from "../person/follow-script.ts";
import { Listening } from "../person/listening.ts";
import { PacedMicrophone } from "../person/paced-microphone.ts";
import type { Ear, Line } from "./handset.ts";
import type { PhoneEvent } from "./phone-script.ts";

export interface PhoneLineOptions {
  readonly line: Line;
  readonly clock: Clock;
  /** How long a person waits for the other side to speak; a realistic time where absent. */
  readonly patienceMs?: number | undefined;
  /** How much silence means that the other side has finished; a realistic time where absent. */
  readonly quietMs?: number | undefined;
  readonly onEvent: (event: PhoneEvent) => void;
}

/** Longer than a pause between sentences or a tool that runs. */
const defaultQuietMs = 1200;
const defaultPatienceMs = 10_000;
/** How long a person waits after hearing that something is being done for them. */
const listenPatienceMs = 90_000;
const keyEveryMs = 250;

export class PhoneLine implements PersonLine {
  /** Where the network delivers the other side's audio and events. */
  readonly ear: Ear;
  readonly recording: ConversationRecording;
  readonly #options: PhoneLineOptions;
  readonly #listening: Listening;
  readonly #microphone: PacedMicrophone;
  readonly #waiters: ConditionWaiters;
  readonly #startMs: number;
  readonly #over = new AbortController();
  #isListening = false;

  constructor(options: PhoneLineOptions) {
    const { clock, line } = options;
    this.#options = options;
    this.#startMs = clock.now();
    this.#waiters = new ConditionWaiters(clock);
    const listening = new Listening(line.sampleRateHz, this.#startMs);
    this.#listening = listening;
    this.recording = listening.recording;
    this.#microphone = new PacedMicrophone({
      clock,
      sampleRateHz: line.sampleRateHz,
      onFrame: (frame) => {
        listening.recording.addCaller(frame);
        line.speak(frame);
        // Conditions are checked with every frame of the microphone.
        this.#waiters.settle();
      },
    });
    this.ear = {
      onAudio: (samples) => listening.onAudio(samples, clock.now()),
      onStopAudio: () => listening.onStopAudio(clock.now()),
      onKeys: (keys) => this.report({ kind: "keys-heard", atMs: this.atMs, keys }),
      onEnded: (why) => this.end(why),
    };
    this.#microphone.start();
  }

  get sampleRateHz(): number {
    return this.#options.line.sampleRateHz;
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Time since the call was picked up. */
  get atMs(): number {
    return this.#options.clock.now() - this.#startMs;
  }

  async speak(samples: Int16Array): Promise<void> {
    const { stoppedMs } = await this.#microphone.speak(samples);
    this.#listening.startTurn(stoppedMs);
  }

  async press(keys: string): Promise<void> {
    for (const key of keys) {
      this.#options.line.press(key);
      await pause(this.#options.clock, keyEveryMs, this.over);
    }
    this.expectAnswer();
  }

  pause(durationMs: number): Promise<void> {
    return pause(this.#options.clock, durationMs, this.over);
  }

  expectAnswer(): void {
    this.#listening.startTurn(this.#options.clock.now());
  }

  async listen({ to, interruptAfterMs }: Listen): Promise<void> {
    const { patienceMs = defaultPatienceMs } = this.#options;
    await this.hear(to?.kind === "listen" ? listenPatienceMs : patienceMs, interruptAfterMs);
  }

  /** Resolves when the other side has finished, was silent for so long, or has hung up. */
  async hear(patienceMs: number, interruptAfterMs?: number): Promise<void> {
    const listening = this.#listening;
    const { quietMs = defaultQuietMs } = this.#options;
    this.#isListening = true;
    await this.#waiters
      .until((nowMs) => {
        const { firstAudibleMs } = listening;
        if (interruptAfterMs !== undefined && firstAudibleMs !== undefined)
          return nowMs >= firstAudibleMs + interruptAfterMs;
        return listening.hasFinished(nowMs, quietMs) || listening.hasGivenUp(nowMs, patienceMs);
      })
      .catch(rethrowUnlessOver);
    this.#isListening = false;
    this.#reportWhatWasHeard();
  }

  hangUp(): void {
    this.#options.line.hangUp();
  }

  /** The other side, or the network, has ended the call. */
  end(why: string): void {
    if (this.over.aborted) return;
    if (this.#isListening) this.#reportWhatWasHeard();
    this.report({ kind: "ended", atMs: this.atMs, why });
    this.#over.abort();
    this.#microphone.stop();
    this.#waiters.fail(new CallOver());
  }

  report(event: PhoneEvent): void {
    if (!this.over.aborted) this.#options.onEvent(event);
  }

  #reportWhatWasHeard(): void {
    const { answeredInMs, answerMs: forMs } = this.#listening;
    const { atMs } = this;
    this.report(
      answeredInMs === undefined ? { kind: "nothing-heard", atMs } : { kind: "heard", atMs, forMs, answeredInMs },
    );
  }
}

/** Ends a wait when the call does. */
class CallOver extends VoiceError {
  constructor() {
    super("session_expired", "the call is over");
  }
}

function rethrowUnlessOver(error: unknown): void {
  if (!(error instanceof CallOver)) throw error;
}
