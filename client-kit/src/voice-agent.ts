/** A conversation with an agent, with all that a page shows of it. Independent of frameworks; in Node without sound of its own. */
import { AudioEngine } from "./audio/audio-engine.ts";
import { describeMicrophoneProblem } from "./audio/microphone-problem.ts";
import type { MicrophoneState } from "./audio/microphone-switch.ts";
import { createChoiceCheck } from "./connection/check-choice.ts";
import { openSocketWith, type WebSocketConstructor } from "./connection/open-browser-socket.ts";
import type { ConnectionState } from "./connection/reconnecting-socket.ts";
import { createSendRequest, createTicketRequest, requireNoSignIn } from "./connection/service-request.ts";
import { createSocketAddress, plainAddress } from "./connection/socket-address.ts";
import type { RequestTicket, SocketQuery } from "./connection/socket-address.ts";
import { pageSurroundings } from "./connection/surroundings.ts";
import { Conversation, type Sound } from "./conversation.ts";
import type {
  AgentState,
  ClientMessage,
  ServerMessage,
  ServerMessageType,
  ServerPayloads,
  SessionPayload,
} from "./messages.ts";
import { RememberedSession, type SessionStorage } from "./remembered-session.ts";
import { Store } from "./store.ts";
import { addToTranscript, type Transcript } from "./transcript.ts";

export interface VoiceAgentOptions {
  /** Where the service is; by default the page's own origin. */
  readonly service?: string | undefined;
  readonly scenario?: string | undefined;
  readonly agent?: string | undefined;
  /** A language tag such as `de-DE`, for agents that name none. */
  readonly language?: string | undefined;
  /** Such as `Europe/Berlin`. */
  readonly timeZone?: string | undefined;
  readonly profileId?: string | undefined;
  readonly userEmail?: string | undefined;
  readonly mode?: "REALTIME" | "VOICE_LIVE" | undefined;
  /** A conversation to resume. */
  readonly sessionId?: string | undefined;
  /** The access token of who is signed in, for a service that asks for one. Requested anew for every ticket. */
  readonly token?: (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Used in place of `token`, where a server of your own gets the ticket from the service. */
  readonly requestTicket?: RequestTicket | undefined;
  /** Such as `sessionStorage`: the conversation then goes on after a reload. */
  readonly storage?: SessionStorage | undefined;
  /** Replaces the browser's loudspeaker and microphone. */
  readonly openSound?: (() => Promise<Sound>) | undefined;
  /** Where the audio worklets are; by default beside this file. */
  readonly workletUrl?: string | undefined;
  /** Where the platform has none, such as `WebSocket` of `ws` in Node 20. */
  readonly webSocket?: WebSocketConstructor | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface VoiceAgentState {
  readonly connection: ConnectionState;
  readonly microphone: MicrophoneState;
  /** Undefined until the service has opened the conversation. */
  readonly session: SessionPayload | undefined;
  readonly agentState: AgentState | undefined;
  readonly transcript: Transcript;
  /** What does not work, in a sentence for the user. */
  readonly problem: string | undefined;
  /** Why the conversation is over, as the service says it. */
  readonly endReason: string | undefined;
}

/** 0 to 1. Apart from the state, because they change fifty times a second. */
export interface Levels {
  readonly microphone: number;
  readonly agent: number;
}

type Listener<T extends ServerMessageType> = (payload: ServerPayloads[T]) => void;

const atFirst: VoiceAgentState = {
  connection: { kind: "idle" },
  microphone: "off",
  session: undefined,
  agentState: undefined,
  transcript: [],
  problem: undefined,
  endReason: undefined,
};

export class VoiceAgent {
  readonly state = new Store<VoiceAgentState>(atFirst);
  readonly levels = new Store<Levels>({ microphone: 0, agent: 0 });
  readonly #options: VoiceAgentOptions;
  readonly #conversation: Conversation;
  readonly #remembered: RememberedSession;
  readonly #listeners = new Set<(message: ServerMessage) => void>();

  constructor(options: VoiceAgentOptions = {}) {
    this.#options = options;
    const service = new URL(options.service ?? "/", globalThis.location?.href).href;
    this.#remembered = new RememberedSession(options.storage, service);
    const { webSocket, token } = options;
    const send = createSendRequest(service, token, options.fetch ?? ((input, init) => fetch(input, init)));
    const requestTicket = options.requestTicket ?? (token && createTicketRequest(send));
    const address = createSocketAddress(() => requestTicket, service);
    const checkChoice = createChoiceCheck(send);
    const surroundings =
      webSocket === undefined
        ? pageSurroundings
        : { ...pageSurroundings, openSocket: openSocketWith((url) => new webSocket(url)) };
    this.#conversation = new Conversation(surroundings, {
      url: () => address("converse", this.#query()),
      urlWithoutTicket: () => plainAddress(service, "converse", this.#query()),
      checkRequest: async () => {
        if (requestTicket === undefined) await requireNoSignIn(send);
        // A server of one's own that gives out tickets need not answer anything else.
        if (options.requestTicket === undefined) await checkChoice(this.#query());
      },
      openSound: () => this.#openSound(),
      events: {
        onConnection: (connection) => this.#connectionChanged(connection),
        onMicrophone: (microphone) => this.state.update({ microphone }),
        onMessage: (message) => this.#receive(message),
        onSoundProblem: (error) => this.state.update({ problem: describeMicrophoneProblem(error, isSecurePage()) }),
        onMicrophoneLevel: (microphone) => this.levels.update({ microphone }),
      },
    });
  }

  /** Calls the listener with every message of this type, until the returned function is called. */
  on<T extends ServerMessageType>(type: T, listener: Listener<T>): () => void {
    const heard = (message: ServerMessage): void => {
      if (isOfType(message, type)) listener(message.payload);
    };
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  /** Begins a conversation without the microphone: the agent greets, and the user types. */
  connect(): void {
    this.#beginAnew();
    this.#conversation.connect();
    void this.#conversation.openSound();
  }

  /** Call this while a click or a key is being handled, because browsers mute pages otherwise. */
  async talk(): Promise<void> {
    this.#beginAnew();
    await this.#conversation.startTalking();
  }

  /** Turns the microphone off; the conversation goes on. */
  mute(): void {
    this.#conversation.mute();
  }

  /** A whole turn in text. Connects, if need be. */
  sendText(text: string): void {
    this.#beginAnew();
    this.#conversation.sendText(text);
    void this.#conversation.openSound();
  }

  /** Keys of a telephone: `0` to `9`, `*`, `#`. */
  press(digits: string): void {
    this.#conversation.send({ type: "dtmf", digits });
  }

  /** PCM16 mono at the session's rate, for a program without a microphone. False if it was not sent. */
  sendAudio(samples: ArrayBuffer): boolean {
    return this.#conversation.sendAudio(samples);
  }

  /** False if the socket is not open, so that the message was not sent. */
  send(message: ClientMessage): boolean {
    return this.#conversation.send(message);
  }

  /** Ends the conversation: what comes next is another one. */
  end(): void {
    this.#remembered.forget();
    this.#conversation.leave();
  }

  /** As if the page were closed: the conversation can be resumed. */
  leave(): void {
    this.#conversation.leave();
  }

  #query(): SocketQuery {
    const { scenario, agent, language, timeZone, profileId, userEmail, mode, sessionId } = this.#options;
    const resumed = this.#remembered.get();
    // A conversation that goes on keeps its own choices.
    if (resumed !== undefined) return { session_id: resumed, streaming_mode: mode };
    return {
      session_id: sessionId,
      streaming_mode: mode,
      scenario,
      agent,
      language,
      time_zone: timeZone,
      profile_id: profileId,
      user_email: userEmail,
    };
  }

  #beginAnew(): void {
    const isOver = this.state.get().session !== undefined && this.#remembered.get() === undefined;
    this.state.update({
      problem: undefined,
      ...(isOver ? { session: undefined, transcript: [], endReason: undefined } : {}),
    });
  }

  #connectionChanged(connection: ConnectionState): void {
    const isClosed = connection.kind === "closed";
    const problem =
      isClosed && connection.reason !== "ended" ? connection.detail || "The service does not answer." : undefined;
    this.state.update({
      connection,
      ...(connection.kind === "open" ? {} : { agentState: undefined }),
      ...(problem === undefined ? {} : { problem }),
    });
  }

  #receive(message: ServerMessage): void {
    const { transcript } = this.state.get();
    this.state.update({ transcript: addToTranscript(transcript, message) });
    if (message.type === "session") {
      this.#remembered.set(message.payload.session_id);
      this.state.update({ session: message.payload, endReason: undefined });
    }
    if (message.type === "error") this.state.update({ problem: message.payload.message });
    if (message.type === "event") this.#takeEvent(message.payload);
    for (const listener of this.#listeners) listener(message);
  }

  #takeEvent(event: ServerPayloads["event"]): void {
    if (event.name === "state_change") this.state.update({ agentState: event.state });
    if (event.name !== "session_ended") return;
    this.#remembered.forget();
    this.state.update({ endReason: event.reason });
  }

  #openSound(): Promise<Sound> {
    const { openSound, workletUrl } = this.#options;
    if (openSound !== undefined) return openSound();
    if (globalThis.AudioContext === undefined) return Promise.resolve(noSound);
    return AudioEngine.open(workletUrl ?? new URL("./voice-agent-worklets.js", import.meta.url).href, (agent) =>
      this.levels.update({ agent }),
    );
  }
}

/** The sound of a program that provides none: such a program reads and types. */
const noSound: Sound = {
  play: () => undefined,
  silence: () => undefined,
  openMicrophone: () => Promise.reject(new Error("there is no microphone")),
};

/** A program without a page counts as secure. */
function isSecurePage(): boolean {
  return !("isSecureContext" in globalThis) || globalThis.isSecureContext;
}

function isOfType<T extends ServerMessageType>(
  message: ServerMessage,
  type: T,
): message is Extract<ServerMessage, { type: T }> & { payload: ServerPayloads[T] } {
  return message.type === type;
}
