/** Somebody who holds one call after the other, asks for something again and again, and checks afterwards what became of it. */
import type { EmulatedCall } from "../../../local/emulators/comm/emulated-call.ts";
import { phoneNumbers } from "../../../local/phone/phone-book.ts";
import { AttentiveCaller } from "../../support/attentive-caller.ts";
import type { ClerkFleet } from "../../support/clerk-fleet.ts";
import { eventually } from "../../support/wait.ts";
import { countTurns, type Outcome } from "../outcome.ts";
import type { Sentence } from "./marked-words.ts";

const turnsOfCall: readonly Sentence[] = [
  "tell me a story",
  "please book a table",
  "tell me a story",
  "tell me a story",
  "please book a table",
  "tell me a story",
];
/** A host that dies may have to be found missing by others, and the call is answered by the third. */
const greetingMs = 30_000;
const answerMs = 15_000;
const storedMs = 15_000;
/**
 * After a call has moved, the agent may still ask for what was lost 4 s later (TAKE-3). Somebody who speaks at that very moment is
 * not what these calls are about.
 */
const undisturbedMs = 1500;
const disturbedMs = 5500;

export interface PersistentCallerOptions {
  readonly clerk: ClerkFleet;
  readonly spoken: ReadonlyMap<Sentence, Int16Array>;
  /** Shared by all callers. */
  readonly outcome: Outcome;
}

/** A call that is held right now. */
export interface HeldCall {
  readonly call: EmulatedCall;
  readonly caller: AttentiveCaller;
  /** The answer to the latest words is awaited or heard. */
  readonly isBeingAnswered: boolean;
}

interface OwnCall extends HeldCall {
  isBeingAnswered: boolean;
}

export class PersistentCaller {
  readonly #options: PersistentCallerOptions;
  #held: OwnCall | undefined;
  calls = 0;

  constructor(options: PersistentCallerOptions) {
    this.#options = options;
  }

  get held(): HeldCall | undefined {
    return this.#held;
  }

  /** Until then; a call that has begun is held to its end. */
  async holdCalls(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await this.#holdOne();
      this.#held = undefined;
    }
  }

  async #holdOne(): Promise<void> {
    const { clerk } = this.#options;
    const caller = new AttentiveCaller();
    const call = await clerk.fleet.network.emulator.dial(phoneNumbers.person, phoneNumbers.service, caller);
    this.calls += 1;
    const said: Sentence[] = [];
    try {
      await caller.firstWord(greetingMs);
      this.#held = { call, caller, isBeingAnswered: true };
      await this.#untilQuiet(this.#held);
      for (const words of turnsOfCall) {
        if (caller.lostBecause !== undefined) break;
        said.push(words);
        await this.#ask(words, this.#held);
      }
    } catch (error) {
      this.#remark(`${call.id}: ${error instanceof Error ? error.message : "?"}`);
      this.#options.outcome.callsLost += 1;
    }
    await this.#leave(call, caller, said);
  }

  async #ask(words: Sentence, held: OwnCall): Promise<void> {
    const { caller, call } = held;
    caller.listenAnew();
    await caller.say(this.#options.spoken.get(words) ?? new Int16Array(0));
    held.isBeingAnswered = true;
    await caller.firstWord(answerMs).catch(() => this.#remark(`${call.id}: nothing was heard after "${words}"`));
    await this.#untilQuiet(held);
  }

  async #untilQuiet(held: OwnCall): Promise<void> {
    const { caller, call } = held;
    const openedBefore = call.streams.opened;
    const isOver = (): boolean =>
      caller.lostBecause !== undefined ||
      caller.isQuietFor(call.streams.opened === openedBefore ? undisturbedMs : disturbedMs);
    await eventually(isOver, "the agent has finished", 60_000);
    held.isBeingAnswered = false;
  }

  async #leave(call: EmulatedCall, caller: AttentiveCaller, said: readonly Sentence[]): Promise<void> {
    const { clerk, outcome } = this.#options;
    if (caller.lostBecause === undefined) caller.hangUp();
    else {
      outcome.callsLost += 1;
      this.#remark(`${call.id}: the call was lost: ${caller.lostBecause}`);
    }
    const record = await clerk.fleet.state.calls.getByConnection(call.id);
    if (record === undefined) {
      // Nobody has answered it.
      if (said.length > 0) this.#remark(`${call.id}: the call is not recorded`);
      return;
    }
    await clerk.fleet.ended(record.callId);
    const judged = async () => countTurns(said, await clerk.fleet.spoken(record));
    await eventually(async () => (await judged()).turnsLost === 0, "every turn is stored", storedMs).catch(
      () => undefined,
    );
    const { apologies, turnsLost, turnsTwice } = await judged();
    const effects = clerk.office.bookingsOf(record.sessionId);
    const wanted = said.filter((words) => words === "please book a table").length;
    const effectsTwice = Math.max(0, effects - wanted);
    outcome.turns += said.length;
    outcome.apologies += apologies;
    outcome.turnsLost += turnsLost;
    outcome.turnsTwice += turnsTwice;
    outcome.effects += effects;
    outcome.effectsTwice += effectsTwice;
    if (turnsLost + turnsTwice + effectsTwice > 0)
      this.#remark(
        `${call.id}: ${effects} of ${wanted} booked, stored: ${JSON.stringify(await clerk.fleet.spoken(record))}`,
      );
  }

  #remark(text: string): void {
    const at = new Date().toISOString().slice(11, 23);
    this.#options.outcome.remarks.push(`${at} ${text}`);
    console.log(`      ${at} ${text}`);
  }
}
