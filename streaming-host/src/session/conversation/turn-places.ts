/** HIST-6: the places of a conversation's turns in its history, and which item stands in which. */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import type { BegunTurn } from "../turn/turn-state.ts";

interface Place extends Pick<BegunTurn, "begunAtMs"> {
  readonly turnId?: string;
}

export class TurnPlaces {
  /** The turn under way. What is stored before the first has a place without a turn. */
  #current: Place | undefined;
  /** The turn before that one, whose answer is stored after it has been interrupted by it. */
  #previous: Place | undefined;
  /** When a turn began last: that one, or one of the caller's whose words are not known yet. */
  #lastMs: number;
  #turns = 0;
  /** The place of words of the caller's that are heard again, and the number of turns before they are. */
  #heardAgain: { readonly begunAtMs: number; readonly turns: number } | undefined;

  constructor(history: readonly HistoryItem[]) {
    this.#lastMs = history.reduce((latest, { begunAtMs = 0 }) => Math.max(latest, begunAtMs), 0);
  }

  /** The place of a turn that begins now. Later than any before it, whatever the clocks of the hosts that carried the session. */
  next(nowMs: number): number {
    this.#lastMs = Math.max(Math.floor(nowMs), this.#lastMs + 1);
    return this.#lastMs;
  }

  /** The turn that is under way from now on. */
  beginTurn(turnId: string, nowMs: number): void {
    this.#previous = this.#current;
    this.#turns += 1;
    this.#current = { turnId, begunAtMs: this.next(nowMs) };
  }

  /** What follows in the turn under way knows the words of a turn that has begun since, so it stands after them (HIST-6a). */
  goOnAfterOthers(nowMs: number): void {
    const current = this.#current;
    if (current !== undefined && this.#lastMs > current.begunAtMs)
      this.#current = { ...current, begunAtMs: this.next(nowMs) };
  }

  /**
   * HIST-7: another service listens again to what the caller said in the given turn, so the text that it recognises takes the place of that turn,
   * not of the next one.
   */
  expectAgain({ begunAtMs }: BegunTurn): void {
    this.#heardAgain = { begunAtMs, turns: this.#turns };
  }

  /** What has no place of its own has that of the turn under way, in which the items are in the order in which they are stored. */
  put(item: HistoryItem): HistoryItem {
    if (item.begunAtMs !== undefined) return item;
    const own = item.role === "user" ? this.#takeHeardAgain() : this.#placeOfInterrupted(item);
    if (own !== undefined) return { ...item, begunAtMs: own };
    this.#current ??= { begunAtMs: this.next(item.timestampMs) };
    return { ...item, begunAtMs: this.#current.begunAtMs };
  }

  /** Typed text begins its turn and interrupts the answer before it at once, so that this is stored in the next turn. */
  #placeOfInterrupted({ role, turnId, interrupted }: HistoryItem): number | undefined {
    const isAnswer = role === "assistant" && interrupted;
    return isAnswer && turnId === this.#previous?.turnId ? this.#previous.begunAtMs : undefined;
  }

  #takeHeardAgain(): number | undefined {
    const again = this.#heardAgain;
    this.#heardAgain = undefined;
    return again !== undefined && this.#turns <= again.turns + 1 ? again.begunAtMs : undefined;
  }
}
