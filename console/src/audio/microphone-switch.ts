/** The microphone as a switch that takes time to turn on and may be turned off meanwhile. */
import type { CapturedFrame } from "./worklet-messages.ts";

export type MicrophoneState = "off" | "starting" | "on";

/** What can be opened: the page's sound. */
export interface MicrophoneSource {
  openMicrophone(sampleRateHz: number, onFrame: (frame: CapturedFrame) => void): Promise<{ stop(): void }>;
}

export interface MicrophoneEvents {
  readonly onState: (state: MicrophoneState) => void;
  readonly onFrame: (frame: CapturedFrame) => void;
}

export class MicrophoneSwitch {
  readonly #events: MicrophoneEvents;
  #state: MicrophoneState = "off";
  #stop: (() => void) | undefined;

  constructor(events: MicrophoneEvents) {
    this.#events = events;
  }

  get state(): MicrophoneState {
    return this.#state;
  }

  /** Shows that it is about to be turned on, while what it needs is still being made ready. */
  prepare(): void {
    this.#set("starting");
  }

  /** Rejects with the browser's reason, and is off then. Does nothing when it was turned off since it was prepared. */
  async open(source: MicrophoneSource, sampleRateHz: number): Promise<void> {
    if (this.#state !== "starting") return;
    try {
      const microphone = await source.openMicrophone(sampleRateHz, this.#events.onFrame);
      if (this.#isWanted()) {
        this.#stop = () => microphone.stop();
        this.#set("on");
      } else microphone.stop();
    } catch (error) {
      this.#set("off");
      throw error;
    }
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#set("off");
  }

  /** Asked again after every wait: it may have been turned off meanwhile. */
  #isWanted(): boolean {
    return this.#state === "starting";
  }

  #set(state: MicrophoneState): void {
    this.#state = state;
    this.#events.onState(state);
  }
}
