/**
 * This page as a phone of the simulated telephone network: it rings, is answered, uses the microphone, and hangs up.
 */
import { microphoneGone } from "@voice/client-kit/audio/microphone-problem";
import { MicrophoneSwitch } from "@voice/client-kit/audio/microphone-switch";
import type { MicrophoneSource } from "@voice/client-kit/audio/microphone-switch";
import { ReconnectingSocket } from "@voice/client-kit/connection/reconnecting-socket";
import type { SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import { Store } from "@voice/client-kit/store";
import { parsePhoneMessage } from "./phone-messages.ts";
import type { PhoneMessage, SimulatedPhone } from "./phone-messages.ts";

export interface PhoneSound extends MicrophoneSource {
  /** The player for the other side's audio. */
  addVoice(): {
    play(samples: ArrayBuffer, sampleRateHz: number): void;
    silence(): void;
    close(): void;
  };
}

export interface PhoneState {
  /** Undefined if there is no simulated telephone network. */
  readonly own: string | undefined;
  readonly phones: readonly SimulatedPhone[];
  readonly call: "none" | "ringing" | "calling" | "connecting" | "talking";
  /** The caller. */
  readonly from: string | undefined;
  /** How the last call ended, or what is heard apart from words. */
  readonly note: string | undefined;
  readonly problem: string | undefined;
}

export interface PhoneSessionOptions extends SocketSurroundings {
  readonly socketUrl: () => string;
  /** Called while a click is being handled. */
  readonly openSound: () => Promise<PhoneSound>;
  readonly describeSoundProblem: (error: unknown) => string;
  /** Calls back now if the user has this page in front of them, and whenever they come to it, until the returned function is called. */
  readonly whenInUse: (callback: () => void) => () => void;
}

/** The rate of most calls; those of the realtime model have another. */
const defaultSampleRateHz = 16_000;

export class PhoneSession {
  readonly store = new Store<PhoneState>({
    own: undefined,
    phones: [],
    call: "none",
    from: undefined,
    note: undefined,
    problem: undefined,
  });
  readonly #options: PhoneSessionOptions;
  readonly #microphone: MicrophoneSwitch;
  #socket: ReconnectingSocket | undefined;
  #stopUse: () => void = () => undefined;
  #sound: PhoneSound | undefined;
  #voice: ReturnType<PhoneSound["addVoice"]> | undefined;
  #sampleRateHz = defaultSampleRateHz;

  constructor(options: PhoneSessionOptions) {
    this.#options = options;
    this.#microphone = new MicrophoneSwitch({
      onState: () => undefined,
      onFrame: ({ samples }) => {
        if (this.store.get().call === "talking") this.#socket?.send(samples);
      },
      onLost: () => this.store.update({ problem: options.describeSoundProblem(microphoneGone()) }),
    });
  }

  /** Accepts calls until the returned function is called. */
  plugIn(): () => void {
    const { socketUrl } = this.#options;
    const socket = new ReconnectingSocket(this.#options, {
      // Whoever restarts the service expects the open page to ring.
      neverGivesUp: true,
      url: socketUrl,
      onState: ({ kind }) => {
        if (kind !== "open" && this.store.get().own !== undefined) this.#unplugged();
      },
      onText: (text) => {
        const message = parsePhoneMessage(text);
        if (message !== undefined) this.#receive(message);
      },
      onBinary: (samples) => this.#voice?.play(samples, this.#sampleRateHz),
    });
    this.#socket = socket;
    socket.open();
    return () => {
      this.#stopUse();
      socket.close();
      this.#socket = undefined;
    };
  }

  answer(): Promise<void> {
    return this.#pickUp("connecting", "answer");
  }

  /** Calls the service. */
  dial(): Promise<void> {
    return this.#pickUp("calling", "dial");
  }

  decline(): void {
    this.#send({ kind: "decline" });
    this.#end(undefined);
  }

  hangUp(): void {
    this.#send({ kind: "hang-up" });
    this.#end("You hung up.");
  }

  press(key: string): void {
    this.#send({ kind: "press", key });
  }

  /** A call is not answered without a microphone, because the other side would hear nothing. */
  async #pickUp(call: PhoneState["call"], kind: "answer" | "dial"): Promise<void> {
    const before = this.store.get().call;
    this.store.update({ call, note: undefined, problem: undefined });
    this.#microphone.prepare();
    try {
      this.#sound = await this.#options.openSound();
      await this.#microphone.open(this.#sound, defaultSampleRateHz);
    } catch (error) {
      this.#microphone.close();
      this.store.update({ call: before, problem: this.#options.describeSoundProblem(error) });
      return;
    }
    // The call may have stopped ringing while the browser asked for the microphone.
    if (this.#microphone.state === "on" && this.store.get().call === call) this.#send({ kind });
  }

  #receive(message: PhoneMessage): void {
    switch (message.kind) {
      case "at-home":
        // If several tabs are open, the one that was used last rings.
        this.#stopUse();
        this.#stopUse = this.#options.whenInUse(() => this.#send({ kind: "in-use" }));
        return this.store.update({ own: message.own, phones: message.phones, call: "none" });
      case "ringing":
        return this.store.update({ call: "ringing", from: message.from, note: undefined, problem: undefined });
      case "connected":
        return void this.#connect(message.sampleRateHz);
      case "stop-audio":
        return this.#voice?.silence();
      case "keys":
        return this.store.update({ note: `The other side pressed ${message.keys}.` });
      case "ended":
        return this.#end(`The call is over: ${message.why}.`);
      default:
        return message satisfies never;
    }
  }

  async #connect(sampleRateHz: number): Promise<void> {
    const sound = this.#sound;
    if (sound === undefined) return;
    this.#voice?.close();
    this.#voice = sound.addVoice();
    this.#sampleRateHz = sampleRateHz;
    this.store.update({ call: "talking" });
    if (sampleRateHz === defaultSampleRateHz) return;
    this.#microphone.close();
    this.#microphone.prepare();
    try {
      await this.#microphone.open(sound, sampleRateHz);
    } catch (error) {
      this.#send({ kind: "hang-up" });
      this.store.update({ problem: this.#options.describeSoundProblem(error) });
    }
  }

  #unplugged(): void {
    const wasInCall = this.store.get().call !== "none";
    this.#end(wasInCall ? "The call is over: the connection was lost." : undefined);
    this.store.update({ own: undefined, phones: [] });
  }

  /** The second call, when the network confirms a hang-up, changes nothing. */
  #end(note: string | undefined): void {
    if (this.store.get().call === "none") return;
    this.#microphone.close();
    this.#voice?.close();
    this.#voice = undefined;
    this.store.update({ call: "none", from: undefined, note });
  }

  #send(message: { readonly kind: string; readonly key?: string }): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
