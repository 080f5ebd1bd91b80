/** Somebody else's conversation, as it happens: the list of those that are live, and the one that was picked. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";
import type { ServerMessage, ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import { describeProblem } from "../api/api-problem.ts";
import type { BuildApi, ScenarioDetails } from "../api/build-api.ts";
import type { ServiceApi, SessionDetails, SessionInfo } from "../api/service-api.ts";
import { ReconnectingSocket } from "../connection/reconnecting-socket.ts";
import type { ConnectionState, OpenBrowserSocket } from "../connection/reconnecting-socket.ts";
import type { SocketQuery } from "../connection/socket-address.ts";
import { emptyConversation } from "../conversation/conversation-view.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import { fromHistory } from "../conversation/from-history.ts";
import { reduceConversation } from "../conversation/reduce-conversation.ts";
import { Store } from "../store.ts";
import { keepMessage } from "./received-messages.ts";
import type { ReceivedMessage } from "./received-messages.ts";

const listEveryMs = 3000;

export interface WatchState {
  /** `undefined` until the first answer. */
  readonly sessions: readonly SessionInfo[] | undefined;
  /** All there are, beside those that are listed. */
  readonly sessionCount: number;
  readonly listProblem: string | undefined;
  readonly selected: string | undefined;
  readonly view: ConversationView;
  readonly connection: ConnectionState;
  /** There is something to listen to. */
  readonly isRecorded: boolean;
  /** What the service has stored of the one that was picked, apart from what was said. */
  readonly details: Pick<SessionDetails, "status" | "end_reason" | "channel"> | undefined;
  readonly messages: readonly ReceivedMessage[];
  /** Who may hand over to whom in it. */
  readonly scenario: ScenarioDetails | undefined;
}

export interface WatchSessionOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly api: Pick<ServiceApi, "sessions" | "session" | "turns"> & Pick<BuildApi, "scenario">;
  readonly openSocket: OpenBrowserSocket;
  readonly socketUrl: (query: SocketQuery) => string | Promise<string>;
  readonly onLevels: (levels: ServerPayloads["audio_levels"]) => void;
}

interface Listing {
  readonly abort: AbortController;
  cancelTimer: CancelTimer | undefined;
}

export class WatchSession {
  readonly store = new Store<WatchState>({
    sessions: undefined,
    sessionCount: 0,
    listProblem: undefined,
    selected: undefined,
    view: emptyConversation,
    connection: { kind: "idle" },
    isRecorded: false,
    details: undefined,
    messages: [],
    scenario: undefined,
  });
  #pages = 1;
  readonly #options: WatchSessionOptions;
  #picked: { readonly socket: ReconnectingSocket; readonly abort: AbortController } | undefined;

  constructor(options: WatchSessionOptions) {
    this.#options = options;
  }

  /** Keeps the list fresh until the returned function is called. */
  watchList(): () => void {
    const listing: Listing = { abort: new AbortController(), cancelTimer: undefined };
    void this.#list(listing);
    return () => {
      listing.abort.abort();
      listing.cancelTimer?.();
    };
  }

  select(sessionId: string | undefined): void {
    if (sessionId === this.store.get().selected) return;
    this.#picked?.abort.abort();
    this.#picked?.socket.close();
    this.#picked = undefined;
    this.store.update({
      selected: sessionId,
      view: emptyConversation,
      connection: { kind: "idle" },
      isRecorded: false,
      details: undefined,
      messages: [],
      scenario: undefined,
    });
    if (sessionId !== undefined) this.#picked = this.#watch(sessionId);
  }

  /** Another page of the list, from its next reading on. */
  showOlder(): void {
    this.#pages += 1;
  }

  retry(): void {
    this.#picked?.socket.open();
  }

  #watch(sessionId: string) {
    const { clock, random, openSocket, socketUrl } = this.#options;
    const abort = new AbortController();
    /** What happens while the past is being fetched waits for it. */
    let early: ServerMessage[] | undefined = [];
    const catchUp = async (): Promise<void> => {
      early = [];
      await this.#loadPast(sessionId, abort.signal);
      if (abort.signal.aborted) return;
      for (const message of early) this.#apply(message);
      early = undefined;
    };
    const socket = new ReconnectingSocket({
      clock,
      random,
      openSocket,
      url: () => socketUrl({ session_id: sessionId }),
      onState: (connection) => {
        if (abort.signal.aborted) return;
        this.store.update({ connection });
        if (connection.kind === "open") void catchUp();
      },
      onText: (text) => {
        const message = parseServerMessage(text);
        if (message === undefined || message.session_id !== sessionId) return;
        if (early === undefined) this.#apply(message);
        else early.push(message);
      },
      onBinary: () => undefined,
    });
    socket.open();
    return { socket, abort };
  }

  async #loadPast(sessionId: string, signal: AbortSignal): Promise<void> {
    const { api } = this.#options;
    const [details, turns] = await Promise.allSettled([api.session(sessionId, signal), api.turns(sessionId, signal)]);
    // Without the past the present is still worth showing.
    if (signal.aborted || details.status === "rejected") return;
    this.store.update({
      view: fromHistory(details.value, turns.status === "fulfilled" ? turns.value : []),
      details: details.value,
      isRecorded: details.value.recordings.some(({ status }) => status !== "failed"),
    });
    void this.#loadScenario(details.value.scenario, sessionId, signal);
  }

  /** What it was made of may be gone by now; the conversation is what one came for. */
  async #loadScenario(name: string, sessionId: string, signal: AbortSignal): Promise<void> {
    const scenario = await this.#options.api.scenario(name, signal, sessionId).catch(() => undefined);
    if (!signal.aborted) this.store.update({ scenario });
  }

  #apply(message: ServerMessage): void {
    if (message.type === "audio_levels") this.#options.onLevels(message.payload);
    const { view, messages } = this.store.get();
    this.store.update({ view: reduceConversation(view, message), messages: keepMessage(messages, message) });
  }

  async #list(listing: Listing): Promise<void> {
    try {
      const { api } = this.#options;
      const { signal } = listing.abort;
      const pages = Array.from({ length: this.#pages }, (_, index) => api.sessions(index + 1, signal));
      const read = await Promise.all(pages);
      if (signal.aborted) return;
      const sessions = read.flatMap((page) => page.sessions);
      this.store.update({ sessions, sessionCount: read[0]?.total ?? 0, listProblem: undefined });
    } catch (error) {
      if (listing.abort.signal.aborted) return;
      this.store.update({ listProblem: describeProblem(error) });
    }
    listing.cancelTimer = this.#options.clock.setTimer(listEveryMs, () => void this.#list(listing));
  }
}
