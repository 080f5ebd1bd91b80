/** Somebody else's live conversation: the list of live conversations, and the one that was selected. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { ServerMessage, ServerPayloads } from "@voice/shared/contracts/stream/server-message";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import type { BuildApi, ScenarioDetails } from "../api/build-api.ts";
import type { RecordedTranscript, ServiceApi, SessionDetails } from "../api/service-api.ts";
import { ReconnectingSocket } from "@voice/client-kit/connection/reconnecting-socket";
import type { ConnectionState, SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { Address, SocketQuery } from "@voice/client-kit/connection/socket-address";
import { emptyConversation } from "../conversation/conversation-view.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { fromMessages, isStored } from "../conversation/from-messages.ts";
import type { StoredMessage } from "../api/service-api.ts";
import { reduceConversation } from "../conversation/reduce-conversation.ts";
import { Store } from "@voice/client-kit/store";
import { detailsSoFar } from "./details-so-far.ts";
import { keepMessage } from "./received-messages.ts";
import type { ReceivedMessage } from "./received-messages.ts";

const recordingStoredMs = 2000;
/** The notes of a conversation are stored some seconds after its end, if at all. They are requested this often, for this long. */
const notedEveryMs = 4000;
const notedWithinMs = 60_000;

export interface WatchState {
  readonly selected: string | undefined;
  readonly view: ConversationView;
  readonly connection: ConnectionState;
  /** Audio is available to listen to. */
  readonly isRecorded: boolean;
  /** The service's stored details of the selected conversation, apart from its transcript. */
  readonly details: Omit<SessionDetails, "conversation_history"> | undefined;
  /** Why the conversation, or a part of what is stored about it, could not be read. */
  readonly pastProblem: string | undefined;
  readonly messages: readonly ReceivedMessage[];
  /** What was said in the recording, with its times. Undefined until it was read. */
  readonly recorded: RecordedTranscript | undefined;
  /** The handoffs between its agents. */
  readonly scenario: ScenarioDetails | undefined;
}

const nothing: WatchState = {
  selected: undefined,
  view: emptyConversation,
  connection: { kind: "idle" },
  isRecorded: false,
  details: undefined,
  pastProblem: undefined,
  messages: [],
  recorded: undefined,
  scenario: undefined,
};

export interface WatchSessionOptions extends SocketSurroundings {
  readonly api: Pick<ServiceApi, "session" | "turns" | "messages" | "recordedTranscript"> & Pick<BuildApi, "scenario">;
  readonly socketUrl: (query: SocketQuery) => Address | Promise<Address>;
  readonly onLevels: (levels: ServerPayloads["audio_levels"]) => void;
  /** Everything about the watched conversation except levels, as it happens. */
  readonly onMessage?: (message: ServerMessage) => void;
}

export class WatchSession {
  readonly store = new Store<WatchState>(nothing);
  readonly #options: WatchSessionOptions;
  #picked: { readonly socket: ReconnectingSocket; readonly abort: AbortController } | undefined;

  constructor(options: WatchSessionOptions) {
    this.#options = options;
  }

  select(sessionId: string | undefined): void {
    if (sessionId === this.store.get().selected) return;
    this.#picked?.abort.abort();
    this.#picked?.socket.close();
    this.#picked = undefined;
    this.store.set({ ...nothing, selected: sessionId });
    if (sessionId !== undefined) this.#picked = this.#watch(sessionId);
  }

  /** Connects again, or reads again what could not be read. */
  retry(): void {
    const { selected, connection } = this.store.get();
    if (connection.kind !== "open" || selected === undefined) return this.#picked?.socket.open();
    this.select(undefined);
    this.select(selected);
  }

  #watch(sessionId: string) {
    const { socketUrl } = this.#options;
    const abort = new AbortController();
    let loading = new AbortController();
    /** Live events wait while the history is being loaded. */
    let early: ServerMessage[] | undefined = [];
    /** The host says first what its agent is doing, and has then stored what there is of an answer (TIMELINE-6). */
    let knowsState = false;
    const catchUp = async (): Promise<void> => {
      early = [];
      const stored = await load();
      if (abort.signal.aborted) return;
      const missed = early.filter((message) => !isStored(message, stored));
      early = undefined;
      for (const message of missed) apply(message);
    };
    const apply = (message: ServerMessage): void => {
      this.#apply(message);
      if (message.type === "event" && message.payload.name === "session_ended")
        this.#readEnded(sessionId, abort.signal);
      if (knowsState || message.type !== "event" || message.payload.name !== "state_change") return;
      knowsState = true;
      const isSpeaking = message.payload.state === "speaking";
      const isShown = this.store.get().view.entries.some((entry) => entry.kind === "agent" && !entry.isComplete);
      if (isSpeaking && !isShown) void catchUp();
    };
    /** A conversation that cannot be opened has no updates, so no connection to it is awaited. */
    const load = async (): Promise<readonly StoredMessage[]> => {
      loading.abort();
      loading = new AbortController();
      const signal = AbortSignal.any([abort.signal, loading.signal]);
      const stored = await this.#loadHistory(sessionId, signal);
      if (stored !== undefined || signal.aborted) return stored ?? [];
      socket.close();
      this.store.update({ connection: { kind: "idle" } });
      return [];
    };
    const socket = new ReconnectingSocket(this.#options, {
      answersPings: true,
      neverGivesUp: true,
      url: () => socketUrl({ session_id: sessionId }),
      onState: (connection) => {
        if (abort.signal.aborted) return;
        this.store.update({ connection });
        // Without a connection, what was said so far can still be read.
        if (connection.kind === "waiting" && this.store.get().details === undefined) void load();
        if (connection.kind !== "open") return;
        knowsState = false;
        void catchUp();
      },
      onText: (text) => {
        const message = parseServerMessage(text);
        if (message === undefined || message.session_id !== sessionId) return;
        if (early === undefined) apply(message);
        else early.push(message);
      },
    });
    socket.open();
    return { socket, abort };
  }

  /** The stored messages; undefined if the service says that this user cannot have the conversation. */
  async #loadHistory(sessionId: string, signal: AbortSignal): Promise<readonly StoredMessage[] | undefined> {
    const { api } = this.#options;
    const [details, turns, messages] = await Promise.allSettled([
      api.session(sessionId, signal),
      api.turns(sessionId, signal),
      api.messages(sessionId, signal),
    ]);
    // Without its history, the live conversation is still worth showing.
    if (signal.aborted) return undefined;
    const failed = [details, turns].find((result) => result.status === "rejected");
    this.store.update({ pastProblem: failed === undefined ? undefined : describeProblem(failed.reason) });
    if (details.status === "rejected") {
      const { reason }: { readonly reason: unknown } = details;
      return reason instanceof ApiProblem && [403, 404, 410, 422].includes(reason.status) ? undefined : [];
    }
    // An archived conversation has a history and no messages, and so has one of an older version of the service.
    const stored = messages.status === "fulfilled" ? messages.value : { isComplete: false, messages: [] };
    const isRecorded = details.value.recordings.some(({ status }) => status !== "failed");
    this.store.update({
      view: fromMessages(details.value, turns.status === "fulfilled" ? turns.value : [], stored),
      details: details.value,
      messages: stored.messages.reduce(keepMessage, []),
      isRecorded,
    });
    void this.#loadScenario(details.value.scenario, sessionId, signal);
    if (isRecorded) void this.#loadRecorded(sessionId, signal);
    return stored.messages;
  }

  /** Details may have expired by now; the conversation itself matters more. */
  async #loadScenario(name: string, sessionId: string, signal: AbortSignal): Promise<void> {
    const scenario = await this.#options.api.scenario(name, signal, sessionId).catch(() => undefined);
    if (!signal.aborted) this.store.update({ scenario });
  }

  /** The conversation can be read without it; its absence shows, because no sentence can be played. */
  async #loadRecorded(sessionId: string, signal: AbortSignal): Promise<void> {
    const recorded = await this.#options.api.recordedTranscript(sessionId, signal).catch(() => undefined);
    if (!signal.aborted && recorded !== undefined) this.store.update({ recorded });
  }

  /** The recording's last words are stored a moment after the end. */
  #readEnded(sessionId: string, signal: AbortSignal): void {
    this.#after(recordingStoredMs, signal, async () => {
      await this.#loadHistory(sessionId, signal);
      this.#lookForNote(sessionId, signal, notedWithinMs);
    });
  }

  #lookForNote(sessionId: string, signal: AbortSignal, remainingMs: number): void {
    if (remainingMs <= 0 || signal.aborted) return;
    this.#after(notedEveryMs, signal, async () => {
      const { details } = this.store.get();
      if (details === undefined || details.status !== "ended" || details.after_call != null) return;
      const { after_call } = await this.#options.api.session(sessionId, signal).catch(() => details);
      if (signal.aborted) return;
      if (after_call == null) this.#lookForNote(sessionId, signal, remainingMs - notedEveryMs);
      else this.store.update({ details: { ...details, after_call } });
    });
  }

  #after(delayMs: number, signal: AbortSignal, act: () => Promise<void>): void {
    const cancel = this.#options.clock.setTimer(delayMs, () => void act());
    signal.addEventListener("abort", cancel, { once: true });
  }

  #apply(message: ServerMessage): void {
    const { onLevels, onMessage } = this.#options;
    // They come ten times a second, and only meters show them.
    if (message.type === "audio_levels") return onLevels(message.payload);
    onMessage?.(message);
    const { view, messages, details } = this.store.get();
    this.store.update({
      view: reduceConversation(view, message),
      messages: keepMessage(messages, message),
      details: details && detailsSoFar(details, message),
    });
  }
}
