/** Somebody who holds one conversation after the other, and may lose the line in the middle of each. */
import { addHeard, Caller, nothingHeard, type Heard, type OpenLine } from "../bench/load/caller.ts";
import type { Wire } from "../bench/load/wire.ts";

const turnsUntilLineIsLost = 2;
const turnsOfConversation = 5;

export class Visitor {
  readonly #wire: Wire;
  /** When within a turn's length this one begins. */
  readonly #share: number;
  /** Opens the line for a conversation, and again when it was lost. */
  readonly #openLine: (conversation: number) => OpenLine;
  /** A phone call is over when its line is. */
  readonly #losesLine: boolean;
  #caller: Caller | undefined;
  #conversations = 0;
  #turns = 0;
  #hasLostLine = false;
  #heard = nothingHeard();
  reconnects = 0;
  failedConnections = 0;

  constructor(wire: Wire, share: number, openLine: (conversation: number) => OpenLine, losesLine: boolean) {
    this.#wire = wire;
    this.#share = share;
    this.#openLine = openLine;
    this.#losesLine = losesLine;
  }

  get conversations(): number {
    return this.#conversations;
  }

  async begin(): Promise<void> {
    this.#conversations++;
    this.#turns = 0;
    this.#hasLostLine = false;
    await this.#connect();
  }

  tick(nowMs: number): void {
    const caller = this.#caller;
    if (caller === undefined) return;
    caller.tick(nowMs, true);
    if (!caller.isBetweenTurns) return;
    const losesLine = this.#losesLine;
    if (!caller.isConnected) {
      this.failedConnections++;
      this.#again(() => (losesLine ? this.#connect() : this.begin()));
    } else if (this.#turns + caller.heard.turns >= turnsOfConversation) this.#again(() => this.begin());
    else if (losesLine && !this.#hasLostLine && caller.heard.turns >= turnsUntilLineIsLost) {
      this.#hasLostLine = true;
      this.reconnects++;
      this.#again(() => this.#connect());
    }
  }

  /** What was heard since it was asked last, in conversations that are over or whose line was lost. */
  take(): Heard {
    const heard = this.#heard;
    this.#heard = nothingHeard();
    return heard;
  }

  leave(): void {
    this.#caller?.close();
    this.#caller = undefined;
  }

  #again(next: () => Promise<void>): void {
    const caller = this.#caller;
    if (caller !== undefined) {
      const heard = caller.finish();
      addHeard(this.#heard, heard);
      this.#turns += heard.turns;
    }
    this.leave();
    next().catch(() => {
      this.failedConnections++;
    });
  }

  async #connect(): Promise<void> {
    const wire = this.#wire;
    const share = this.#share;
    const openLine = this.#openLine;
    const caller = new Caller(wire, performance.now(), share);
    await caller.connectBy(openLine(this.#conversations));
    this.#caller = caller;
  }
}
