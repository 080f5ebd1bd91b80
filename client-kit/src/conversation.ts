/** One conversation: connects socket, sound and microphone. What is shown of it is for whoever listens to its events. */
import { MicrophoneSwitch } from "./audio/microphone-switch.ts";
import type { MicrophoneSource, MicrophoneState } from "./audio/microphone-switch.ts";
import { microphoneGone } from "./audio/microphone-problem.ts";
import { ReconnectingSocket } from "./connection/reconnecting-socket.ts";
import type {
  ConnectionState,
  ReconnectingSocketOptions,
  SocketSurroundings,
} from "./connection/reconnecting-socket.ts";
import type { ClientMessage, ServerMessage } from "./messages.ts";
import { parseMessage } from "./parse-message.ts";

/** A loudspeaker and a microphone: the browser's, or any other. */
export interface Sound extends MicrophoneSource {
  /** PCM16 mono; the array belongs to the sound afterwards. */
  play(samples: ArrayBuffer, sampleRateHz: number): void;
  /** Drops what has not been played: the agent was interrupted. */
  silence(): void;
}

export interface ConversationEvents {
  /** `wasOpen`: the session was open until now, so messages may be missed. */
  readonly onConnection: (state: ConnectionState, wasOpen: boolean) => void;
  readonly onMicrophone: (state: MicrophoneState) => void;
  /** Every message except audio, before the conversation acts on it. */
  readonly onMessage: (message: ServerMessage) => void;
  /** The session is open: for the first time, or again after a loss. */
  readonly onSession?: (sessionId: string, timestamp: string) => void;
  /** Sound could not be opened, or the microphone is gone. */
  readonly onSoundProblem: (error: unknown) => void;
  /** 0 to 1, of the microphone, fifty times a second. */
  readonly onMicrophoneLevel: (level: number) => void;
}

export interface ConversationOptions extends Pick<
  ReconnectingSocketOptions,
  "url" | "urlWithoutTicket" | "checkRequest"
> {
  readonly events: ConversationEvents;
  /** Called while a click or a key is being handled; returns the same sound every time. Rejects if there is none. */
  readonly openSound: () => Promise<Sound>;
}

export class Conversation {
  readonly #options: ConversationOptions;
  readonly #socket: ReconnectingSocket;
  readonly #microphone: MicrophoneSwitch;
  #sound: Sound | undefined;
  /** Typed before the session existed. */
  #waitingTexts: string[] = [];
  #sessionWaiters: (() => void)[] = [];
  #isSessionOpen = false;
  #sampleRateHz: number | undefined;

  constructor(surroundings: SocketSurroundings, options: ConversationOptions) {
    const { events, openSound: _openSound, ...socket } = options;
    this.#options = options;
    this.#socket = new ReconnectingSocket(surroundings, {
      ...socket,
      answersPings: true,
      onState: (state) => this.#connectionChanged(state),
      onText: (text) => this.#receive(text),
      onBinary: (bytes) => this.#hear(bytes),
    });
    this.#microphone = new MicrophoneSwitch({
      onState: events.onMicrophone,
      onFrame: ({ samples, level }) => {
        this.#socket.send(samples);
        events.onMicrophoneLevel(level);
      },
      onLost: () => {
        this.mute();
        events.onSoundProblem(microphoneGone());
      },
    });
  }

  get connection(): ConnectionState {
    return this.#socket.state;
  }

  get isLive(): boolean {
    const { kind } = this.#socket.state;
    return kind !== "idle" && kind !== "closed";
  }

  /** Opens the socket, or tries at once if it was waiting to. */
  connect(): void {
    this.#socket.open();
  }

  /** Call this while a click or a key is being handled. Connects, and opens the microphone once the session is there. */
  async startTalking(): Promise<void> {
    if (this.#microphone.state !== "off") return;
    this.#microphone.prepare();
    const sound = await this.openSound();
    this.connect();
    await this.#sessionOpen();
    if (sound === undefined || this.#sampleRateHz === undefined) {
      this.#microphone.close();
      return;
    }
    try {
      await this.#microphone.open(sound, this.#sampleRateHz);
    } catch (error) {
      this.#options.events.onSoundProblem(error);
    }
  }

  /** Stops listening to the microphone; the conversation continues. */
  mute(): void {
    this.#closeMicrophone();
    this.send({ type: "stop_audio" });
  }

  /** The new microphone replaces the old one while that is open. */
  async changeMicrophone(): Promise<void> {
    if (this.#microphone.state !== "on") return;
    this.#microphone.close();
    await this.startTalking();
  }

  /** Waits for the session where that is not open yet. */
  sendText(text: string): void {
    this.connect();
    if (this.#isSessionOpen) this.send({ type: "text", text });
    else this.#waitingTexts.push(text);
  }

  /** PCM16 mono at the session's rate, for programs that have no microphone. False if it was not sent. */
  sendAudio(samples: ArrayBuffer): boolean {
    return this.#isSessionOpen && this.#socket.send(samples);
  }

  /** False if the socket is not open, so that the message was not sent. */
  send(message: ClientMessage): boolean {
    return this.#socket.send(JSON.stringify(message));
  }

  /** Undefined where there is none; `onSoundProblem` has then been called. */
  async openSound(): Promise<Sound | undefined> {
    try {
      this.#sound ??= await this.#options.openSound();
    } catch (error) {
      this.#options.events.onSoundProblem(error);
    }
    return this.#sound;
  }

  /** Closes the socket, as a reload would: the conversation can be resumed. */
  leave(): void {
    this.#closeMicrophone();
    this.#waitingTexts = [];
    this.#sound?.silence();
    this.#socket.close();
  }

  #connectionChanged(connection: ConnectionState): void {
    this.#options.events.onConnection(connection, this.#isSessionOpen);
    this.#isSessionOpen = false;
    if (connection.kind === "open") this.send({ type: "config", audio_output: "binary" });
    if (connection.kind === "waiting") this.#sound?.silence();
    if (connection.kind !== "closed") return;
    this.#closeMicrophone();
    this.#wakeSessionWaiters();
  }

  #receive(text: string): void {
    const message = parseMessage(text);
    if (message?.type === "audio")
      this.#hear(Uint8Array.from(atob(message.payload.data), (byte) => byte.codePointAt(0) ?? 0).buffer);
    else if (message !== undefined) this.#act(message);
  }

  #act(message: ServerMessage): void {
    const { events } = this.#options;
    if (message.type === "event" && message.payload.name === "barge_in") this.#sound?.silence();
    if (message.type === "session") this.#sampleRateHz = message.payload.sample_rate;
    events.onMessage(message);
    if (message.type !== "session" || this.#isSessionOpen) return;
    this.#isSessionOpen = true;
    events.onSession?.(message.payload.session_id, message.timestamp);
    for (const text of this.#waitingTexts.splice(0)) this.send({ type: "text", text });
    this.#wakeSessionWaiters();
  }

  #hear(samples: ArrayBuffer): void {
    if (this.#sampleRateHz !== undefined && samples.byteLength > 0) this.#sound?.play(samples, this.#sampleRateHz);
  }

  #closeMicrophone(): void {
    this.#microphone.close();
    this.#options.events.onMicrophoneLevel(0);
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
}
