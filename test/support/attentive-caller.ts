/** A caller on the phone who says given words and records when something is audible and when it is not. */
import { systemClock } from "@voice/shared/platform/clock";
import type { Ear, Handset, Line, RingOutcome } from "../../local/phone/handset.ts";
import { lastAudibleSample } from "../../local/person/audible.ts";
import { PacedMicrophone } from "../../local/person/paced-microphone.ts";
import { HeardSpans } from "./heard-spans.ts";
import { eventually } from "./wait.ts";

/** Longer than any pause within what the agent says. */
const quietMs = 1200;

export class AttentiveCaller implements Handset {
  #line: Line | undefined;
  #microphone: PacedMicrophone | undefined;
  /** Since `listenAnew`, or from the beginning. */
  #heard = new HeardSpans();
  /** When what has come so far will have been heard; audio may come ahead of time. */
  #audibleUntilMs = 0;
  /** When the latest audible audio came. */
  #lastAudibleMs = 0;
  #hasLeft = false;
  #lostBecause: string | undefined;

  async ring(): Promise<RingOutcome> {
    return "answered";
  }

  talk(line: Line): Ear {
    const { sampleRateHz } = line;
    this.#line = line;
    const onFrame = (frame: Int16Array): void => line.speak(frame);
    this.#microphone = new PacedMicrophone({ clock: systemClock, sampleRateHz, onFrame });
    this.#microphone.start();
    return {
      onAudio: (samples) => {
        if (lastAudibleSample(samples) === -1) return;
        this.#lastAudibleMs = performance.now();
        const startsMs = Math.max(this.#lastAudibleMs, this.#audibleUntilMs);
        this.#audibleUntilMs = startsMs + (samples.length * 1000) / sampleRateHz;
        this.#heard.add(startsMs, this.#audibleUntilMs);
      },
      onStopAudio: () => {
        this.#audibleUntilMs = Math.min(this.#audibleUntilMs, performance.now());
        this.#heard.cutAt(this.#audibleUntilMs);
      },
      onKeys: () => undefined,
      onEnded: (why) => {
        this.#microphone?.stop();
        if (!this.#hasLeft) this.#lostBecause = why;
      },
    };
  }

  get sampleRateHz(): number {
    return this.#line?.sampleRateHz ?? Number.NaN;
  }

  /** Why the call ended although nobody hung up here. */
  get lostBecause(): string | undefined {
    return this.#lostBecause;
  }

  get isHearing(): boolean {
    return !this.isQuietFor(quietMs);
  }

  isQuietFor(ms: number): boolean {
    return performance.now() >= this.#audibleUntilMs + ms;
  }

  get lastAudibleMs(): number {
    return this.#lastAudibleMs;
  }

  /** Since `listenAnew`. */
  get heard(): HeardSpans {
    return this.#heard;
  }

  async say(samples: Int16Array): Promise<void> {
    await this.#microphone?.speak(samples);
  }

  /** Starts again, so that the next audible word counts as the first. */
  listenAnew(): void {
    this.#heard = new HeardSpans();
  }

  /** When something was audible first since `listenAnew`. */
  async firstWord(withinMs: number): Promise<number> {
    await eventually(
      () => this.#heard.firstMs !== undefined || this.#lostBecause !== undefined,
      "the agent is heard",
      withinMs,
    );
    return this.#heard.firstMs ?? Infinity;
  }

  async silence(withinMs: number): Promise<void> {
    await eventually(() => !this.isHearing || this.#lostBecause !== undefined, "the agent has finished", withinMs);
  }

  hangUp(): void {
    this.#hasLeft = true;
    this.#microphone?.stop();
    this.#line?.hangUp();
  }
}
