/** Somebody who holds one conversation after the other, and loses the line in the middle of each. */
import { Caller, nothingHeard, type Heard } from "../bench/load/caller.ts";
import type { Wire } from "../bench/load/wire.ts";

const turnsUntilLineIsLost = 2;
const turnsOfConversation = 5;

export class Visitor {
  readonly #name: string;
  readonly #wire: Wire;
  readonly #port: number;
  readonly #share: number;
  #caller: Caller | undefined;
  #conversations = 0;
  #turns = 0;
  #hasLostLine = false;
  #heard = nothingHeard();
  reconnects = 0;
  failedConnections = 0;

  /** `share`: when within a turn's length this one begins. */
  constructor(port: number, wire: Wire, name: string, share: number) {
    this.#port = port;
    this.#wire = wire;
    this.#name = name;
    this.#share = share;
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
    if (!caller.isConnected) {
      this.failedConnections++;
      this.#again(() => this.#connect());
    } else if (this.#turns + caller.heard.turns >= turnsOfConversation) this.#again(() => this.begin());
    else if (!this.#hasLostLine && caller.heard.turns >= turnsUntilLineIsLost) {
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
      const { firstAudioMs, stopMs, turns, lostTurns, lostStops, unclear } = caller.finish();
      this.#heard.firstAudioMs.push(...firstAudioMs);
      this.#heard.stopMs.push(...stopMs);
      this.#heard.turns += turns;
      this.#heard.lostTurns += lostTurns;
      this.#heard.lostStops += lostStops;
      this.#heard.unclear += unclear;
      this.#turns += turns;
    }
    this.leave();
    next().catch(() => {
      this.failedConnections++;
    });
  }

  async #connect(): Promise<void> {
    const caller = new Caller(this.#wire, performance.now(), this.#share);
    const query = `call_connection_id=${this.#name}&session_id=${this.#name}-${this.#conversations}`;
    await caller.connect(`ws://127.0.0.1:${this.#port}/api/v1/media/stream?${query}`);
    this.#caller = caller;
  }
}
