/** The conversation one takes part in: socket, sound and view brought together. Knows nothing of React or the page. */
import type { BrowserInput } from "@voice/shared/contracts/stream/browser-input";
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";
import type { Clock } from "@voice/shared/platform/clock";

import { ReconnectingSocket } from "../connection/reconnecting-socket.ts";
import type { ConnectionState, OpenBrowserSocket } from "../connection/reconnecting-socket.ts";
import { emptyConversation } from "../conversation/conversation-view.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { addTypedText, disconnect, reduceConversation } from "../conversation/reduce-conversation.ts";
import { Store } from "../store.ts";
import { MicrophoneSwitch } from "./microphone-switch.ts";
import type { MicrophoneSource, MicrophoneState } from "./microphone-switch.ts";

/** The page's loudspeaker and microphone, as far as a conversation needs them. */
export interface Sound extends MicrophoneSource {
  play(samples: ArrayBuffer, sampleRateHz: number): void;
  silence(): void;
}

export interface TalkState {
  readonly view: ConversationView;
  readonly connection: ConnectionState;
  readonly microphone: MicrophoneState;
  /** Something about sound that a person can put right. */
  readonly soundProblem: string | undefined;
  readonly scenario: string | undefined;
}

export interface TalkSessionOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly openSocket: OpenBrowserSocket;
  readonly socketUrl: (query: Readonly<Record<string, string | undefined>>) => string;
  /** Called while a click or a key is being handled; the same sound every time. */
  readonly openSound: () => Promise<Sound>;
  readonly describeSoundProblem: (error: unknown) => string;
  readonly onMicrophoneLevel: (level: number) => void;
}

export class TalkSession {
  readonly store = new Store<TalkState>({
    view: emptyConversation,
    connection: { kind: "idle" },
    microphone: "off",
    soundProblem: undefined,
    scenario: undefined,
  });
  readonly #options: TalkSessionOptions;
  readonly #socket: ReconnectingSocket;
  readonly #microphone: MicrophoneSwitch;
  #sound: Sound | undefined;
  /** Typed before the session was there. */
  #waitingTexts: string[] = [];
  #sessionWaiters: (() => void)[] = [];
  #isSessionOpen = false;

  constructor(options: TalkSessionOptions) {
    this.#options = options;
    this.#socket = new ReconnectingSocket({
      clock: options.clock,
      random: options.random,
      openSocket: options.openSocket,
      url: () => this.#url(),
      onState: (state) => this.#connectionChanged(state),
      onText: (text) => this.#receive(text),
      onBinary: (bytes) => this.#hear(bytes),
    });
    this.#microphone = new MicrophoneSwitch({
      onState: (microphone) => this.store.update({ microphone }),
      onFrame: ({ samples, level }) => {
        this.#socket.send(samples);
        options.onMicrophoneLevel(level);
      },
    });
  }

  async startTalking(): Promise<void> {
    if (this.#microphone.state !== "off") return;
    this.#microphone.prepare();
    this.store.update({ soundProblem: undefined });
    const sound = await this.#openSound();
    this.#connect();
    await this.#sessionOpen();
    const sampleRateHz = this.store.get().view.session?.sample_rate;
    if (sound === undefined || sampleRateHz === undefined) {
      this.#microphone.close();
      return;
    }
    try {
      await this.#microphone.open(sound, sampleRateHz);
    } catch (error) {
      this.store.update({ soundProblem: this.#options.describeSoundProblem(error) });
    }
  }

  /** Stops listening to the microphone; the conversation goes on. */
  mute(): void {
    this.#closeMicrophone();
    this.#send({ type: "stop_audio" });
  }

  async sendText(text: string): Promise<void> {
    this.#connect();
    this.store.update({ view: addTypedText(this.store.get().view, text, this.#now()), soundProblem: undefined });
    if (this.#isSessionOpen) this.#send({ type: "text", text });
    else this.#waitingTexts.push(text);
    await this.#openSound();
  }

  /** Takes effect at once: a conversation in progress ends and another begins. */
  chooseScenario(scenario: string): void {
    const wasLive = this.store.get().connection.kind !== "idle" && this.store.get().connection.kind !== "closed";
    this.end();
    this.store.update({ scenario, view: emptyConversation, connection: { kind: "idle" } });
    if (wasLive) this.#connect();
  }

  end(): void {
    this.#closeMicrophone();
    this.#waitingTexts = [];
    this.#sound?.silence();
    this.#socket.close();
  }

  retry(): void {
    this.#socket.open();
  }

  #connect(): void {
    const { connection, view } = this.store.get();
    // A conversation that was ended is not resumed: what is said next begins another.
    if (connection.kind === "closed" && connection.reason === "ended")
      this.store.update({ view: { ...emptyConversation, nextId: view.nextId } });
    this.#socket.open();
  }

  #url(): string {
    const { view, scenario } = this.store.get();
    const sessionId = view.ended === undefined ? view.session?.session_id : undefined;
    return this.#options.socketUrl({ session_id: sessionId, scenario: sessionId === undefined ? scenario : undefined });
  }

  #connectionChanged(connection: ConnectionState): void {
    const { view } = this.store.get();
    this.store.update({ connection, view: connection.kind === "open" ? view : disconnect(view) });
    this.#isSessionOpen = false;
    if (connection.kind === "open") this.#send({ type: "config", audio_output: "binary" });
    if (connection.kind === "waiting") this.#sound?.silence();
    if (connection.kind !== "closed") return;
    this.#closeMicrophone();
    this.#wakeSessionWaiters();
  }

  #receive(text: string): void {
    const message = parseServerMessage(text);
    if (message === undefined) return;
    if (message.type === "audio") {
      this.#hear(Uint8Array.from(atob(message.payload.data), (byte) => byte.codePointAt(0) ?? 0).buffer);
      return;
    }
    this.store.update({ view: reduceConversation(this.store.get().view, message) });
    this.#act(message);
  }

  #act(message: ServerMessage): void {
    if (message.type === "event" && message.payload.name === "barge_in") this.#sound?.silence();
    if (message.type !== "session" || this.#isSessionOpen) return;
    this.#isSessionOpen = true;
    for (const text of this.#waitingTexts.splice(0)) this.#send({ type: "text", text });
    this.#wakeSessionWaiters();
  }

  #hear(samples: ArrayBuffer): void {
    const sampleRateHz = this.store.get().view.session?.sample_rate;
    if (sampleRateHz !== undefined && samples.byteLength > 0) this.#sound?.play(samples, sampleRateHz);
  }

  async #openSound(): Promise<Sound | undefined> {
    try {
      this.#sound ??= await this.#options.openSound();
    } catch (error) {
      this.store.update({ soundProblem: this.#options.describeSoundProblem(error) });
    }
    return this.#sound;
  }

  #closeMicrophone(): void {
    this.#microphone.close();
    this.#options.onMicrophoneLevel(0);
  }

  #sessionOpen(): Promise<void> {
    if (this.#isSessionOpen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#sessionWaiters.push(resolve);
    });
  }

  #wakeSessionWaiters(): void {
    for (const wake of this.#sessionWaiters.splice(0)) wake();
  }

  #send(input: BrowserInput): void {
    this.#socket.send(JSON.stringify(input));
  }

  #now(): string {
    return new Date(this.#options.clock.wallNow()).toISOString();
  }
}
