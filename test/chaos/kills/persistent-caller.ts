/** Somebody who holds one call after the other, asks for something again and again, and checks afterwards what became of it. */
import type { EmulatedCall } from "../../../local/emulators/comm/emulated-call.ts";
import { phoneNumbers } from "../../../local/phone/phone-book.ts";
import { AttentiveCaller } from "../../support/attentive-caller.ts";
import type { ClerkFleet } from "../../support/clerk-fleet.ts";
import { eventually } from "../../support/wait.ts";
import type { Outcome } from "../outcome.ts";
import type { Sentence } from "./marked-speech.ts";

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
/** An answer whose host has died is said again from its beginning, and stored when it is over. */
const storedMs = 15_000;
/** Longer than any pause within what the agent says. */
const quietMs = 1500;
/** A caller who is asked this often to repeat the sentence has lost the turn. */
const mostTries = 6;
const asksAgain = /^assistant: .*say that again/;
const apologises = /^assistant: .*(?:cannot tell whether|went wrong)/;

/** A call that is held right now. */
export interface HeldCall {
  readonly call: EmulatedCall;
  readonly caller: AttentiveCaller;
}

export class PersistentCaller {
  readonly #clerk: ClerkFleet;
  readonly #spoken: ReadonlyMap<Sentence, Int16Array>;
  /** Shared by all callers. */
  readonly #outcome: Outcome;
  #held: HeldCall | undefined;
  calls = 0;

  constructor(clerk: ClerkFleet, spoken: ReadonlyMap<Sentence, Int16Array>, outcome: Outcome) {
    this.#clerk = clerk;
    this.#spoken = spoken;
    this.#outcome = outcome;
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
    const clerk = this.#clerk;
    const caller = new AttentiveCaller();
    const call = await clerk.fleet.network.emulator.dial(phoneNumbers.person, phoneNumbers.service, caller);
    this.calls += 1;
    const said: Sentence[] = [];
    try {
      await caller.firstWord(greetingMs);
      this.#held = { call, caller };
      await this.#untilQuiet(this.#held);
      for (const words of turnsOfCall)
        if (caller.lostBecause === undefined) said.push(...(await this.#turn(words, this.#held)));
    } catch (error) {
      this.#remark(`${call.id}: ${error instanceof Error ? error.message : "?"}`);
      this.#outcome.callsLost += 1;
    }
    await this.#leave(call, caller, said);
  }

  /** Says it again as often as the agent asks for that; resolves with all that was said. */
  async #turn(words: Sentence, held: HeldCall): Promise<Sentence[]> {
    const outcome = this.#outcome;
    const said: Sentence[] = [];
    outcome.turns += 1;
    while (said.length < mostTries) {
      const before = (await this.#stored(held.call)).length;
      said.push(words);
      await this.#say(words, held);
      const lines = await this.#outcomeOf(words, before, held);
      if (held.caller.lostBecause !== undefined) return said; // counted as a lost call
      const heard = lines.filter((line) => line === `user: ${words}`).length;
      outcome.turnsTwice += Math.max(0, heard - 1);
      if (heard > 0 && lines.at(-1)?.startsWith("assistant: ") === true) {
        if (lines.every((line) => line.startsWith("user: ") || apologises.test(line))) outcome.apologies += 1;
        return said;
      }
      if (!lines.some((line) => asksAgain.test(line))) break;
      outcome.apologies += 1;
    }
    outcome.turnsLost += 1;
    this.#remark(`${held.call.id}: "${words}" was lost: ${JSON.stringify((await this.#stored(held.call)).slice(-6))}`);
    return said;
  }

  async #say(words: Sentence, held: HeldCall): Promise<void> {
    const { caller } = held;
    caller.listenAnew();
    await caller.say(this.#spoken.get(words) ?? new Int16Array(0));
    // Where nothing is heard, the history says what became of it.
    await caller.firstWord(answerMs).catch(() => undefined);
    await this.#untilQuiet(held);
  }

  /** What was stored since then, once it has an answer or is asked for again, or too late. */
  async #outcomeOf(words: Sentence, before: number, { call, caller }: HeldCall): Promise<readonly string[]> {
    let lines: readonly string[] = [];
    const isKnown = async (): Promise<boolean> => {
      lines = (await this.#stored(call)).slice(before);
      const isAnswered = lines.includes(`user: ${words}`) && lines.at(-1)?.startsWith("assistant: ") === true;
      return caller.lostBecause !== undefined || isAnswered || lines.some((line) => asksAgain.test(line));
    };
    await eventually(isKnown, "the turn is stored", storedMs).catch(() => undefined);
    await eventually(() => caller.isQuietFor(quietMs), "the agent has finished", answerMs).catch(() => undefined);
    return lines;
  }

  async #untilQuiet(held: HeldCall): Promise<void> {
    const { caller } = held;
    const isOver = (): boolean => caller.lostBecause !== undefined || caller.isQuietFor(quietMs);
    await eventually(isOver, "the agent has finished", 60_000);
  }

  async #stored(call: EmulatedCall): Promise<readonly string[]> {
    const { fleet } = this.#clerk;
    const record = await fleet.state.calls.getByConnection(call.id);
    return record === undefined ? [] : await fleet.spoken(record);
  }

  async #leave(call: EmulatedCall, caller: AttentiveCaller, said: readonly Sentence[]): Promise<void> {
    const clerk = this.#clerk;
    const outcome = this.#outcome;
    if (caller.lostBecause === undefined) caller.hangUp();
    else {
      outcome.callsLost += 1;
      this.#remark(`${call.id}: the call was lost: ${caller.lostBecause}`);
    }
    const record = await clerk.fleet.state.calls.getByConnection(call.id);
    if (record === undefined) return; // nobody has answered it
    await clerk.fleet.ended(record.callId);
    const effects = clerk.office.bookingsOf(record.sessionId);
    const wanted = said.filter((words) => words === "please book a table").length;
    outcome.effects += effects;
    outcome.effectsTwice += Math.max(0, effects - wanted);
    if (effects > wanted) this.#remark(`${call.id}: ${effects} tables booked, ${wanted} were asked for`);
  }

  #remark(text: string): void {
    const at = new Date().toISOString().slice(11, 23);
    this.#outcome.remarks.push(`${at} ${text}`);
    console.log(`      ${at} ${text}`);
  }
}
