/**
 * A person with a phone, made of software: lets it ring, picks up, listens until the other side has finished, speaks the
 * lines of a script with a synthetic voice in real time, presses keys, interrupts, and hangs up.
 */
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Clock } from "@voice/shared/platform/clock";
import type { ConversationRecording } from "../caller/conversation-recording.ts";
import { PacedMicrophone } from "../caller/paced-microphone.ts";
import { pause } from "@voice/shared/platform/pause";
import type { Ear, Handset, Line, RingingCall, RingOutcome } from "./handset.ts";
import { Listening } from "./listening.ts";
import type { MachineScript, PhoneAction, PhoneEvent, PhoneScript } from "./phone-script.ts";

export interface ScriptedPhoneOptions {
  readonly script: PhoneScript;
  readonly clock: Clock;
  /** Makes a line audible: PCM16 mono. */
  readonly speakText: (text: string, sampleRateHz: number) => Promise<Int16Array>;
  readonly onEvent?: ((event: PhoneEvent) => void) | undefined;
}

/** Silence that means that the other side has finished: longer than a pause between sentences or a tool that runs. */
const quietMs = 1200;
/** How long a person waits for somebody to say something. */
const usualPatienceMs = 10_000;
/** How long somebody waits who was told that something is being done for them. */
const listenPatienceMs = 90_000;
const keyEveryMs = 250;
const machinePicksUpMs = 400;
/** What a machine records at most, in silence. */
const recordingMs = 30_000;
/** Machines take a breath before they beep. */
const beforeBeepMs = 300;
const beepHz = 1000;
const beepMs = 500;

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

  talk(line: Line): Ear {
    const call = new PhoneCall(line, this.#options, (event) => {
      this.#report(event);
      if (event.kind === "ended") this.#finished.resolve();
    });
    this.#recording = call.recording;
    return call.ear;
  }

  #report(event: PhoneEvent): void {
    this.events.push(event);
    this.#options.onEvent?.(event);
  }
}

interface Waiter {
  readonly isOver: () => boolean;
  readonly resolve: () => void;
}

class PhoneCall {
  readonly ear: Ear;
  readonly recording: ConversationRecording;
  readonly #line: Line;
  readonly #options: ScriptedPhoneOptions;
  readonly #listening: Listening;
  readonly #microphone: PacedMicrophone;
  readonly #startMs: number;
  readonly #over = new AbortController();
  readonly #tell: (event: PhoneEvent) => void;
  #waiters: Waiter[] = [];
  #isListening = false;

  constructor(line: Line, options: ScriptedPhoneOptions, tell: (event: PhoneEvent) => void) {
    const { clock } = options;
    this.#line = line;
    this.#options = options;
    this.#tell = tell;
    this.#startMs = clock.now();
    const listening = new Listening(line.sampleRateHz, this.#startMs);
    this.#listening = listening;
    this.recording = listening.recording;
    this.#microphone = new PacedMicrophone({
      clock,
      sampleRateHz: line.sampleRateHz,
      onFrame: (frame) => {
        listening.recording.addCaller(frame);
        line.speak(frame);
        this.#settle();
      },
    });
    this.ear = {
      onAudio: (samples) => listening.onAudio(samples, clock.now()),
      onStopAudio: () => listening.onStopAudio(clock.now()),
      onKeys: (keys) => this.#report({ kind: "keys-heard", atMs: this.#atMs(), keys }),
      onEnded: (why) => this.#end(why),
    };
    this.#microphone.start();
    options.script.leaves?.addEventListener("abort", () => line.hangUp(), { once: true, signal: this.#over.signal });
    this.#run().catch((error: unknown) => {
      this.#end(`the phone broke: ${toVoiceError(error).message}`);
      line.hangUp();
    });
  }

  async #run(): Promise<void> {
    const { script } = this.#options;
    if (script.machine !== undefined) {
      await this.#record(script.machine);
      return;
    }
    const { patienceMs = usualPatienceMs } = script;
    let patience = patienceMs;
    for (const [index, action] of script.actions.entries()) {
      // The greeting is listened to; the answers are interrupted where the script says so.
      await this.#listen(patience, index === 0 ? undefined : script.interruptAfterMs);
      if (this.#over.signal.aborted) return;
      await this.#act(action);
      patience = action.kind === "listen" ? listenPatienceMs : patienceMs;
    }
    await this.#listen(patience);
    if (script.typed !== undefined) await this.#improvise(script.typed, patienceMs);
    if (this.#over.signal.aborted) return;
    if (script.staysOnTheLine !== true) this.#line.hangUp();
  }

  async #improvise(typed: AsyncIterable<PhoneAction>, patienceMs: number): Promise<void> {
    const { signal } = this.#over;
    const lines = typed[Symbol.asyncIterator]();
    const over = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    while (!signal.aborted) {
      const next = await Promise.race([lines.next(), over]);
      if (next === undefined || next.done === true) return;
      await this.#act(next.value);
      await this.#listen(patienceMs);
    }
  }

  /** A machine does not listen before it speaks, nor whether anybody does. */
  async #record({ greeting, beeps }: MachineScript): Promise<void> {
    const { clock, speakText } = this.#options;
    const { sampleRateHz } = this.#line;
    const samples = await speakText(greeting, sampleRateHz);
    await pause(clock, machinePicksUpMs, this.#over.signal);
    this.#report({ kind: "said", atMs: this.#atMs(), text: greeting });
    await this.#microphone.speak(samples);
    if (beeps) {
      await this.#microphone.speak(beepTone(sampleRateHz));
      this.#report({ kind: "beeped", atMs: this.#atMs() });
    }
    this.#listening.startTurn(clock.now());
    await this.#listen(recordingMs);
    if (!this.#over.signal.aborted) this.#line.hangUp();
  }

  async #listen(patience: number, interruptAfterMs?: number): Promise<void> {
    const listening = this.#listening;
    this.#isListening = true;
    await this.#until((nowMs) => {
      const { firstAudibleMs } = listening;
      if (interruptAfterMs !== undefined && firstAudibleMs !== undefined)
        return nowMs >= firstAudibleMs + interruptAfterMs;
      return listening.hasFinished(nowMs, quietMs) || listening.hasGivenUp(nowMs, patience);
    });
    this.#isListening = false;
    this.#reportWhatWasHeard();
  }

  #reportWhatWasHeard(): void {
    const { answeredInMs, answerMs: forMs } = this.#listening;
    const atMs = this.#atMs();
    this.#report(
      answeredInMs === undefined ? { kind: "nothing-heard", atMs } : { kind: "heard", atMs, forMs, answeredInMs },
    );
  }

  async #act(action: PhoneAction): Promise<void> {
    if (action.kind === "say") {
      const samples = await this.#options.speakText(action.text, this.#line.sampleRateHz);
      this.#report({ kind: "said", atMs: this.#atMs(), text: action.text });
      const { stoppedMs } = await this.#microphone.speak(samples);
      this.#listening.startTurn(stoppedMs);
      return;
    }
    if (action.kind === "listen") {
      this.#listening.startTurn(this.#options.clock.now());
      return;
    }
    this.#report({ kind: "pressed", atMs: this.#atMs(), keys: action.keys });
    for (const key of action.keys) {
      this.#line.press(key);
      await pause(this.#options.clock, keyEveryMs, this.#over.signal);
    }
    this.#listening.startTurn(this.#options.clock.now());
  }

  #end(why: string): void {
    if (this.#over.signal.aborted) return;
    if (this.#isListening) this.#reportWhatWasHeard();
    this.#report({ kind: "ended", atMs: this.#atMs(), why });
    this.#over.abort();
    this.#microphone.stop();
    this.#settle();
  }

  /** A frame of the microphone is the moment at which anything can come true. */
  #until(isOver: (nowMs: number) => boolean): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      this.#waiters.push({ isOver: () => this.#over.signal.aborted || isOver(clock.now()), resolve });
      this.#settle();
    });
  }

  #settle(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) {
      if (waiter.isOver()) waiter.resolve();
      else this.#waiters.push(waiter);
    }
  }

  #atMs(): number {
    return this.#options.clock.now() - this.#startMs;
  }

  #report(event: PhoneEvent): void {
    if (!this.#over.signal.aborted) this.#tell(event);
  }
}

function beepTone(sampleRateHz: number): Int16Array {
  const silent = (sampleRateHz * beforeBeepMs) / 1000;
  const samples = new Int16Array(silent + (sampleRateHz * beepMs) / 1000);
  for (let index = silent; index < samples.length; index++)
    samples[index] = Math.round(8000 * Math.sin((2 * Math.PI * beepHz * index) / sampleRateHz));
  return samples;
}
