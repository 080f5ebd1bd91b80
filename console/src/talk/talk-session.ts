/** The conversation that the user takes part in: connects socket, sound and view. Independent of React and the page. */
import { Conversation } from "@voice/client-kit/conversation";
import type { Sound } from "@voice/client-kit/conversation";
import type { MicrophoneState } from "@voice/client-kit/audio/microphone-switch";
import type { ConnectionState, SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { Address, SocketQuery } from "@voice/client-kit/connection/socket-address";
import type { ServerMessage } from "@voice/client-kit/messages";
import { Store } from "@voice/client-kit/store";
import { z } from "zod";

import type { OnceItAnswers } from "../api/answers.ts";
import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import { addMissed } from "../conversation/add-missed.ts";
import { emptyConversation } from "../conversation/conversation-view.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { addTypedText, disconnect, reduceConversation } from "../conversation/reduce-conversation.ts";
import type { StoredValue } from "../stored-value.ts";
import { modes, noChoice, toSocketQuery } from "./conversation-choice.ts";
import type { Link, ConversationChoice } from "./conversation-choice.ts";

export interface TalkState {
  readonly view: ConversationView;
  readonly connection: ConnectionState;
  readonly microphone: MicrophoneState;
  /** A sound problem that the user can solve. */
  readonly soundProblem: string | undefined;
  readonly choice: ConversationChoice;
  /** An action that failed, in a sentence. */
  readonly problem: string | undefined;
}

export const storedConversation = z
  .object({ sessionId: z.string(), mode: z.enum(modes).optional() })
  .transform(({ sessionId, mode }) => ({ sessionId, mode }));

type StoredConversation = z.output<typeof storedConversation>;

export interface TalkSessionOptions extends SocketSurroundings {
  readonly socketUrl: (query: SocketQuery) => Address | Promise<Address>;
  /** Rejects with an `ApiProblem` if something that was chosen does not exist. */
  readonly checkChoice: (query: SocketQuery) => Promise<void>;
  /** Called while a click or a key is being handled; returns the same sound every time. */
  readonly openSound: () => Promise<Sound>;
  readonly describeSoundProblem: (error: unknown) => string;
  readonly onMicrophoneLevel: (level: number) => void;
  /** The conversation to resume after a reload. */
  readonly stored: StoredValue<StoredConversation>;
  /** What was said so far in a conversation. Rejects if it no longer exists. */
  readonly loadHistory: (sessionId: string) => Promise<ConversationView>;
  readonly onceItAnswers: OnceItAnswers;
}

export class TalkSession {
  readonly store = new Store<TalkState>({
    view: emptyConversation,
    connection: { kind: "idle" },
    microphone: "off",
    soundProblem: undefined,
    choice: noChoice,
    problem: undefined,
  });
  readonly #options: TalkSessionOptions;
  readonly #conversation: Conversation;
  /** When the service sent its latest message. */
  #latestAt = "";
  /** Where the page lost its conversation, until it has it back. */
  #leftAt: { readonly sessionId: string; readonly since: string; readonly nextId: number } | undefined;
  /** The session to resume, until the service has confirmed which one it is. */
  #resumes: string | undefined;
  /** A link is followed once; a user who comes back to the page finds it unchanged. */
  #hasFollowedLink = false;

  constructor(options: TalkSessionOptions) {
    this.#options = options;
    this.#conversation = new Conversation(options, {
      url: () => options.socketUrl(this.#query()),
      checkRequest: () => options.checkChoice(this.#query()),
      openSound: options.openSound,
      events: {
        onConnection: (state, wasOpen) => this.#connectionChanged(state, wasOpen),
        onMicrophone: (microphone) => this.store.update({ microphone }),
        onMessage: (message) => this.#receive(message),
        onSession: (sessionId, timestamp) => void this.#catchUp(sessionId, timestamp),
        onSoundProblem: (error) => this.store.update({ soundProblem: options.describeSoundProblem(error) }),
        onMicrophoneLevel: options.onMicrophoneLevel,
      },
    });
  }

  async startTalking(): Promise<void> {
    if (this.store.get().microphone !== "off") return;
    this.store.update({ soundProblem: undefined });
    this.#beginAnew();
    await this.#conversation.startTalking();
  }

  /** Stops listening to the microphone; the conversation continues. */
  mute(): void {
    this.#conversation.mute();
  }

  async sendText(text: string): Promise<void> {
    this.#beginAnew();
    this.store.update({ view: addTypedText(this.store.get().view, text, this.#now()), soundProblem: undefined });
    this.#conversation.sendText(text);
    await this.#conversation.openSound();
  }

  /** Opened by a link or after a reload. Shows what was said and connects; the microphone waits for a click. */
  async open(link: Link): Promise<void> {
    if (this.#hasFollowedLink) return;
    this.#hasFollowedLink = true;
    this.store.update({ choice: link.choice });
    await this.#goOn(link);
  }

  async #goOn({ choice, sessionId }: Link): Promise<void> {
    const { stored, loadHistory, onceItAnswers } = this.#options;
    const before = stored.get();
    const wanted = sessionId ?? before?.sessionId;
    if (wanted === undefined || this.#conversation.isLive) return;
    try {
      const view = await loadHistory(wanted);
      if (this.#conversation.isLive) return; // a conversation was started meanwhile
      this.#resumes = wanted;
      if (wanted === before?.sessionId) this.store.update({ choice: { ...choice, mode: before.mode } });
      this.store.update({ view });
      this.#connect();
    } catch (error) {
      const isGone = error instanceof ApiProblem && [403, 404, 410, 422].includes(error.status);
      if (isGone) stored.set(undefined);
      // That a conversation no longer exists matters to a user who has requested it by a link, but not after a reload.
      if (isGone && sessionId === undefined) return;
      const problem = isGone
        ? describeProblem(error)
        : `${describeProblem(error)} Then reload the page to go on where you were.`;
      this.store.update({ problem });
      onceItAnswers(error, () => {
        if (this.store.get().problem !== problem) return; // something else has begun meanwhile
        this.store.update({ problem: undefined });
        void this.#goOn({ choice, sessionId });
      });
    }
  }

  /** Whether a conversation would end, so that the user should confirm. */
  get wouldEndConversation(): boolean {
    const { view, connection } = this.store.get();
    return connection.kind === "open" && view.entries.some(({ kind }) => kind === "user");
  }

  /** Takes effect at once: a conversation in progress ends and another begins. */
  change(change: Partial<ConversationChoice>): void {
    const wasLive = this.#conversation.isLive;
    this.end();
    const { choice } = this.store.get();
    this.store.update({
      choice: { ...choice, ...change },
      view: emptyConversation,
      connection: { kind: "idle" },
      problem: undefined,
    });
    if (wasLive) this.#connect();
  }

  /** A key of the keypad. */
  press(key: string): void {
    this.#conversation.send({ type: "dtmf", digits: key });
  }

  /** The new microphone replaces the old one while that is open. */
  async changeMicrophone(): Promise<void> {
    await this.#conversation.changeMicrophone();
  }

  end(): void {
    this.#forgetSession();
    this.leave();
  }

  /** Hangs up, as a reload would: the conversation can be resumed. */
  leave(): void {
    this.#conversation.leave();
  }

  retry(): void {
    this.#conversation.connect();
  }

  #connect(): void {
    this.#beginAnew();
    this.#conversation.connect();
  }

  #beginAnew(): void {
    const { connection, view } = this.store.get();
    // A conversation that was ended is not resumed: the next words begin another.
    if (connection.kind === "closed" && connection.reason === "ended")
      this.store.update({ view: { ...emptyConversation, nextId: view.nextId } });
    this.store.update({ problem: undefined });
  }

  #query(): SocketQuery {
    const { view, choice } = this.store.get();
    const sessionId = view.ended === undefined ? (view.session?.session_id ?? this.#resumes) : undefined;
    return toSocketQuery(choice, sessionId);
  }

  #connectionChanged(connection: ConnectionState, wasOpen: boolean): void {
    const { view } = this.store.get();
    if (wasOpen && view.session !== undefined)
      this.#leftAt = { sessionId: view.session.session_id, since: this.#latestAt, nextId: view.nextId };
    this.store.update({ connection, view: connection.kind === "open" ? view : disconnect(view) });
  }

  #receive(message: ServerMessage): void {
    const { view } = this.store.get();
    const next = reduceConversation(view, message);
    // Levels come ten times a second and change nothing that is drawn from here.
    if (next !== view) this.store.update({ view: next });
    this.#latestAt = message.timestamp;
    if (message.type === "event" && message.payload.name === "session_ended") this.#forgetSession();
    if (message.type !== "session") return;
    const { session_id: sessionId, streaming_mode: mode } = message.payload;
    this.#options.stored.set({ sessionId, mode: modes.find((known) => known === mode) });
  }

  /** Meanwhile the conversation may have gone on in another tab. */
  async #catchUp(sessionId: string, until: string): Promise<void> {
    const left = this.#leftAt;
    this.#leftAt = undefined;
    if (left?.sessionId !== sessionId) return;
    const isOver = (): boolean => this.store.get().view.session?.session_id !== sessionId;
    try {
      const history = await this.#options.loadHistory(sessionId);
      if (!isOver()) this.store.update({ view: addMissed(this.store.get().view, history, { ...left, until }) });
    } catch (error) {
      const problem = `What was said meanwhile could not be read: ${describeProblem(error)} Reload the page to see it.`;
      if (!isOver()) this.store.update({ problem });
    }
  }

  /** The session's own agents and scenarios expire with it. */
  #forgetSession(): void {
    this.#options.stored.set(undefined);
    this.#resumes = undefined;
    const { choice } = this.store.get();
    if (choice.preparedSessionId !== undefined) this.store.update({ choice: { ...noChoice, mode: choice.mode } });
  }

  #now(): string {
    return new Date(this.#options.clock.wallNow()).toISOString();
  }
}
