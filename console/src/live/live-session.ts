/** The wall of live conversations: which there are, from the table, and what happens in them, over one socket for all. */
import { parseServerMessage } from "@voice/shared/contracts/stream/parse-server-message";

import { describeProblem } from "../api/api-problem.ts";
import type { ConversationInfo, ConversationsApi } from "../api/conversations-api.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { ReconnectingSocket } from "@voice/client-kit/connection/reconnecting-socket";
import type { ConnectionState, SocketSurroundings } from "@voice/client-kit/connection/reconnecting-socket";
import type { Address } from "@voice/client-kit/connection/socket-address";
import { repeatedly } from "../repeatedly.ts";
import { Store } from "@voice/client-kit/store";
import { byNeed, newCard, reduceCard } from "./live-card.ts";
import type { LiveCard, Placed } from "./live-card.ts";

const listEveryMs = 5000;
/** Seconds are shown, so they are counted. Everything that arrives in between is drawn together. */
const drawEveryMs = 500;
/** A wall with more than this many shows the latest. */
const maxCards = 200;

export interface WallCard extends LiveCard {
  readonly row: ConversationInfo;
  readonly startedAtMs: number;
}

export interface WallState {
  /** Undefined until the first list. */
  readonly cards: readonly Placed<WallCard>[] | undefined;
  readonly nowMs: number;
  readonly connection: ConnectionState;
  readonly problem: string | undefined;
}

const nothing: WallState = { cards: undefined, nowMs: 0, connection: { kind: "idle" }, problem: undefined };

export interface LiveSessionOptions extends SocketSurroundings {
  readonly api: Pick<ConversationsApi, "page"> & Pick<ServiceApi, "session">;
  readonly socketUrl: () => Address | Promise<Address>;
  /** The conversations that need somebody, whenever the wall is drawn. */
  readonly onNeeds: (needy: ReadonlySet<string>) => void;
}

export class LiveWallSession {
  readonly store = new Store<WallState>(nothing);
  readonly #options: LiveSessionOptions;
  #cards = new Map<string, WallCard>();
  #socket: ReconnectingSocket | undefined;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
  }

  /** Runs until the returned function is called. */
  watch(): () => void {
    const { clock, socketUrl } = this.#options;
    let isWatched = true;
    const socket = new ReconnectingSocket(this.#options, {
      answersPings: true,
      neverGivesUp: true,
      url: socketUrl,
      onState: (connection) => {
        if (isWatched) this.store.update({ connection });
      },
      onText: (text) => this.#receive(text),
    });
    this.#socket = socket;
    socket.open();
    const stopListing = repeatedly(clock, (signal) => this.#list(signal));
    const stopDrawing = repeatedly(clock, async () => {
      if (this.store.get().cards !== undefined) this.#draw();
      return drawEveryMs;
    });
    return () => {
      isWatched = false;
      stopListing();
      stopDrawing();
      socket.close();
      this.#socket = undefined;
      this.#cards = new Map();
      this.#options.onNeeds(new Set());
      this.store.set(nothing);
    };
  }

  /** Connects again at once. */
  retry(): void {
    this.#socket?.open();
  }

  #receive(text: string): void {
    const message = parseServerMessage(text);
    const card = message && this.#cards.get(message.session_id);
    if (message === undefined || card === undefined) return;
    const next = reduceCard(card, message, this.#options.clock.wallNow());
    if (next !== card) this.#cards.set(card.sessionId, { ...card, ...next });
  }

  async #list(signal: AbortSignal): Promise<number | undefined> {
    try {
      const { conversations } = await this.#options.api.page({ outcome: "in_progress" }, { limit: maxCards }, signal);
      if (signal.aborted) return undefined;
      this.#follow(conversations, signal);
      this.store.update({ problem: undefined });
      this.#draw();
    } catch (error) {
      if (!signal.aborted) this.store.update({ problem: describeProblem(error) });
    }
    return listEveryMs;
  }

  /** What the list no longer has is over. */
  #follow(rows: readonly ConversationInfo[], signal: AbortSignal): void {
    const nowMs = this.#options.clock.wallNow();
    const cards = new Map<string, WallCard>();
    for (const row of rows) {
      const { session_id: id, started_at: began, active_agent: agent } = row;
      const known = this.#cards.get(id);
      const card = known ?? { ...newCard(id, nowMs), row, startedAtMs: Date.parse(began) };
      cards.set(id, { ...card, row, agent: card.agent ?? agent ?? undefined });
      if (known === undefined) void this.#readLastWords(id, signal);
    }
    this.#cards = cards;
  }

  /** What was said before the wall was opened. Without it the card shows what is said from now on. */
  async #readLastWords(id: string, signal: AbortSignal): Promise<void> {
    const details = await this.#options.api.session(id, signal).catch(() => undefined);
    const last = details?.conversation_history.findLast(
      ({ role, content }) => (role === "user" || role === "assistant") && content !== "",
    );
    const card = this.#cards.get(id);
    if (signal.aborted || last === undefined || card === undefined || card.words !== undefined) return;
    const speaker = last.role === "user" ? ("caller" as const) : ("agent" as const);
    const soundAtMs = Math.min(card.soundAtMs, Date.parse(last.timestamp));
    this.#cards.set(id, { ...card, soundAtMs, words: { speaker, text: last.content } });
  }

  #draw(): void {
    const nowMs = this.#options.clock.wallNow();
    const cards = byNeed(
      [...this.#cards.values()].filter(({ isOver }) => !isOver),
      nowMs,
    );
    this.#options.onNeeds(new Set(cards.filter(({ need }) => need.level === 2).map(({ card }) => card.sessionId)));
    this.store.update({ cards, nowMs });
  }
}
