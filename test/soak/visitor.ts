/** Somebody who holds one conversation after the other, and may lose the line in the middle of each. */
import { addHeard, Caller, nothingHeard, type Heard, type OpenLine } from "../bench/load/caller.ts";
import type { Wire } from "../bench/load/wire.ts";

const turnsUntilLineIsLost = 2;
const turnsOfConversation = 5;
const pauseBeforeNextAttemptMs = 1000;

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
  /** When somebody whose connection failed tries again. */
  #nextAttemptMs: number | undefined;
  #lostLines: string[] = [];
  reconnects = 0;

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
    if (this.#nextAttemptMs !== undefined && nowMs >= this.#nextAttemptMs) this.#again(() => this.begin());
    const caller = this.#caller;
    if (caller === undefined) return;
    caller.tick(nowMs, true);
    if (!caller.isBetweenTurns) return;
    const losesLine = this.#losesLine;
    if (caller.endedBecause !== undefined) {
      this.#lostLines.push(`the line was closed: ${caller.endedBecause}`);
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

  /** Why lines were lost since it was asked last that the visitor had not cut off, and why they could not be opened. */
  takeLostLines(): readonly string[] {
    const lost = this.#lostLines;
    this.#lostLines = [];
    return lost;
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
    this.#nextAttemptMs = undefined;
    next().catch((error: unknown) => {
      this.#lostLines.push(`no line could be opened: ${error instanceof Error ? error.message : String(error)}`);
      this.#nextAttemptMs = performance.now() + pauseBeforeNextAttemptMs;
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
