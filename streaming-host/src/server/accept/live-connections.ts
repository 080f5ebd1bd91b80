/** Tracks what is live on this host's sockets and what is being opened. */
import type { CloseReason } from "../../transports/close-reasons.ts";
import type { StreamRoute } from "./stream-routes.ts";

/** Something live on a socket that has to end before the host may stop. */
export interface LiveConnection {
  /** The host is draining: says goodbye if somebody is there. */
  drain(): void;
  close(reason: CloseReason): Promise<void>;
}

/** The kind under which a connection is counted: its route, or `phone` for a stream with which a telephone service brings a call. */
export type ConnectionKind = Exclude<StreamRoute["kind"], "twilio"> | "phone";

export const onlookers = ["dashboard", "listen", "tools"] as const satisfies readonly ConnectionKind[];

/** The connections by kind, open now and since the host started. */
export type ConnectionCounts = Readonly<Record<ConnectionKind | "connected" | "disconnected", number>>;

/** Watching a conversation, listening in and trying tools do not count as a conversation. */
export function isOnlooker(kind: ConnectionKind): boolean {
  return onlookers.some((onlooker) => onlooker === kind);
}

export class LiveConnections {
  readonly #live = new Map<LiveConnection, ConnectionKind>();
  readonly #opening = new Map<ConnectionKind, number>();
  #connected = 0;
  #disconnected = 0;
  #onEmpty: (() => void) | undefined;
  readonly #onChanged: () => void;

  /** `onChanged`: the number of places taken has changed. */
  constructor(onChanged: () => void = () => undefined) {
    this.#onChanged = onChanged;
  }

  get conversationCount(): number {
    let count = 0;
    for (const kind of this.#live.values()) if (!isOnlooker(kind)) count++;
    for (const [kind, opening] of this.#opening) if (!isOnlooker(kind)) count += opening;
    return count;
  }

  /** Connections that are open or being opened. */
  countOf(kind: ConnectionKind): number {
    return this.counts()[kind] + this.openingOf(kind);
  }

  openingOf(kind: ConnectionKind): number {
    return this.#opening.get(kind) ?? 0;
  }

  get size(): number {
    return this.#live.size;
  }

  counts(): ConnectionCounts {
    const open: Record<ConnectionKind, number> = {
      phone: 0,
      browser: 0,
      dashboard: 0,
      listen: 0,
      tools: 0,
      media: 0,
      "media-session": 0,
      telephony: 0,
    };
    for (const kind of this.#live.values()) open[kind]++;
    return { ...open, connected: this.#connected, disconnected: this.#disconnected };
  }

  /** Counts a connection from its upgrade on; call the returned function when it is open or has failed to open. */
  beginOpening(kind: ConnectionKind): () => void {
    this.#opening.set(kind, this.openingOf(kind) + 1);
    this.#onChanged();
    return () => {
      this.#opening.set(kind, this.openingOf(kind) - 1);
      this.#onChanged();
      this.#reportIfEmpty();
    };
  }

  add(connection: LiveConnection, kind: ConnectionKind): void {
    this.#live.set(connection, kind);
    this.#connected++;
  }

  remove(connection: LiveConnection): void {
    if (this.#live.delete(connection)) this.#disconnected++;
    this.#onChanged();
    this.#reportIfEmpty();
  }

  drain(kind?: ConnectionKind): void {
    for (const [connection, its] of this.#live) if (kind === undefined || kind === its) connection.drain();
  }

  async close(reason: CloseReason): Promise<void> {
    await Promise.allSettled([...this.#live.keys()].map((connection) => connection.close(reason)));
  }

  /** Resolves as soon as nothing is live and nothing is being opened. */
  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#reportIfEmpty();
    });
  }

  #reportIfEmpty(): void {
    const opening = [...this.#opening.values()].reduce((sum, count) => sum + count, 0);
    if (this.#live.size + opening === 0) this.#onEmpty?.();
  }
}
