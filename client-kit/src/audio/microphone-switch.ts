/** Turns the microphone on and off; turning it on takes time and can be cancelled meanwhile. */
import type { CapturedFrame } from "./worklet-messages.ts";

export type MicrophoneState = "off" | "starting" | "on";

/** The page's sound, which can open a microphone. */
export interface MicrophoneSource {
  /** `onLost` is called if the device goes away while it is open. */
  openMicrophone(
    sampleRateHz: number,
    onFrame: (frame: CapturedFrame) => void,
    onLost: () => void,
  ): Promise<{ stop(): void }>;
}

export interface MicrophoneEvents {
  readonly onState: (state: MicrophoneState) => void;
  readonly onFrame: (frame: CapturedFrame) => void;
  /** The device is gone, and the microphone is off. */
  readonly onLost: () => void;
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

  /** Shows that the microphone is about to be turned on, while what it needs is still being prepared. */
  prepare(): void {
    this.#set("starting");
  }

  /**
   * Rejects with the browser's error and is then off. Does nothing if the microphone was turned off since `prepare`.
   */
  async open(source: MicrophoneSource, sampleRateHz: number): Promise<void> {
    if (this.#state !== "starting") return;
    try {
      const { onFrame, onLost } = this.#events;
      const microphone = await source.openMicrophone(sampleRateHz, onFrame, () => {
        this.close();
        onLost();
      });
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

  /** Checked after every wait, because the microphone may have been turned off meanwhile. */
  #isWanted(): boolean {
    return this.#state === "starting";
  }

  #set(state: MicrophoneState): void {
    this.#state = state;
    this.#events.onState(state);
  }
}
