/**
 * One call to which something is done while the agent tells a story: what the caller hears of it, what becomes of the turns
 * before, during and after, and how soon the next caller is greeted.
 */
import type { EmulatedCall } from "../../local/emulators/comm/emulated-call.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { AttentiveCaller } from "../support/attentive-caller.ts";
import { eventually, sleep } from "../support/wait.ts";
import type { ChaosFleet } from "./chaos-fleet.ts";
import { countTurns, type Outcome } from "./outcome.ts";
import type { Scenario } from "./scenarios.ts";

const words = { table: "please book a table", story: "tell me a story" } as const;
type Words = keyof typeof words;
export type SpokenWords = Readonly<Record<Words, Int16Array>>;

const phoneRateHz = 16_000;
/** Longer than the service needs for anything while all its parts are there. */
const patienceMs = 20_000;
/**
 * An agent that has been quiet for this long has nothing more to say: longer than a host needs to take a call over, and than an
 * apology is waited for (FAIL-3).
 */
const finishedMs = 7000;
/** Whoever wants to say something while a fault lasts does not wait for so long. */
const pauseMs = 3000;
const recoveryBoundMs = 45_000;

export async function speakWords(synthesiser: Synthesiser): Promise<SpokenWords> {
  const spoken = (text: string): Promise<Int16Array> =>
    speakText(synthesiser, { text, voice: "slt", sampleRateHz: phoneRateHz });
  return { table: await spoken(words.table), story: await spoken(words.story) };
}

export interface StruckCallOptions {
  readonly fleet: ChaosFleet;
  readonly scenario: Scenario;
  readonly spoken: SpokenWords;
  /** Into the story. */
  readonly strikeAfterMs: number;
  readonly isShort: boolean;
  /** How long the story is audible when nothing happens, where that was measured. */
  readonly storyMs: number | undefined;
  readonly outcome: Outcome;
}

export class StruckCall {
  readonly #options: StruckCallOptions;
  readonly #caller = new AttentiveCaller();
  readonly #said: Words[] = [];
  #call: EmulatedCall | undefined;

  constructor(options: StruckCallOptions) {
    this.#options = options;
  }

  async hold(): Promise<void> {
    const { fleet, scenario, strikeAfterMs, outcome, storyMs, isShort } = this.#options;
    const bookingsBefore = fleet.office.bookings;
    await this.#dial();
    if (!isShort) await this.#ask("table", false);
    const askedAtMs = await this.#begin("story");
    await sleep(strikeAfterMs);
    const { sessionId } = await this.#record();
    const mend = await scenario.strike({ fleet, sessionId });
    const struckAtMs = performance.now();
    const recovered = this.#recover(mend, struckAtMs);
    await this.#untilQuiet(scenario.lastsMs > finishedMs ? pauseMs : finishedMs);
    const { heard } = this.#caller;
    outcome.gapsMs.push(Math.max(heard.longestGapMs(struckAtMs), (heard.firstMs ?? Infinity) - askedAtMs));
    if (storyMs !== undefined) outcome.repeatedMs.push(Math.max(0, heard.audibleMs - storyMs));
    if (scenario.lastsMs > 0) await this.#ask("table");
    outcome.recoveriesMs.push(await recovered);
    await this.#ask("table");
    await this.#leave(bookingsBefore);
  }

  /** The audible length of the story when nobody does anything to it. */
  async measureStory(): Promise<number> {
    await this.#dial();
    await this.#begin("story");
    await this.#untilQuiet();
    const { audibleMs } = this.#caller.heard;
    this.#caller.hangUp();
    return audibleMs;
  }

  async #dial(): Promise<void> {
    const { fleet } = this.#options;
    const { emulator } = fleet.fleet.network;
    this.#call = await emulator.dial(phoneNumbers.person, phoneNumbers.service, this.#caller);
    await this.#caller.firstWord(patienceMs);
    await this.#caller.silence(patienceMs);
  }

  /** Resolves with the moment at which the words were out, once the answer is audible. */
  async #begin(what: Words): Promise<number> {
    this.#caller.listenAnew();
    this.#said.push(what);
    await this.#caller.say(this.#options.spoken[what]);
    const saidAtMs = performance.now();
    await this.#caller.firstWord(patienceMs).catch(() => {
      this.#remark(`nothing was heard after "${words[what]}"`);
    });
    return saidAtMs;
  }

  /** `isDisturbed`: what is heard first may be an apology, with the answer after it. */
  async #ask(what: Words, isDisturbed = true): Promise<void> {
    if (this.#caller.lostBecause !== undefined) return;
    const saidAtMs = await this.#begin(what);
    this.#options.outcome.gapsMs.push((this.#caller.heard.firstMs ?? Infinity) - saidAtMs);
    if (isDisturbed) await this.#untilQuiet();
    else await this.#caller.silence(patienceMs);
  }

  async #untilQuiet(forMs = finishedMs): Promise<void> {
    await eventually(
      () => this.#caller.isQuietFor(forMs) || this.#caller.lostBecause !== undefined,
      "the agent has finished",
      2 * patienceMs,
    );
  }

  async #recover(mend: () => Promise<void> | void, struckAtMs: number): Promise<number> {
    const { fleet, scenario } = this.#options;
    await sleep(scenario.lastsMs);
    const mended = Promise.resolve(mend());
    const sinceMs = scenario.lastsMs === 0 ? struckAtMs : performance.now();
    const next = new AttentiveCaller();
    try {
      await fleet.fleet.network.emulator.dial(phoneNumbers.person, phoneNumbers.service, next);
      return (await next.firstWord(recoveryBoundMs)) - sinceMs;
    } catch (error) {
      this.#remark(`the next caller was not greeted: ${error instanceof Error ? error.message : "?"}`);
      return Infinity;
    } finally {
      next.hangUp();
      await mended;
    }
  }

  async #leave(bookingsBefore: number): Promise<void> {
    const { fleet, outcome } = this.#options;
    if (this.#caller.lostBecause === undefined) this.#caller.hangUp();
    else {
      outcome.callsLost += 1;
      this.#remark(`the call was lost: ${this.#caller.lostBecause}`);
    }
    const { callId } = await this.#record();
    const record = await fleet.fleet.ended(callId);
    const expected = this.#said.map((what) => words[what]);
    const judged = async () => countTurns(expected, await fleet.fleet.spoken(record));
    await eventually(async () => (await judged()).turnsLost === 0, "every turn is stored", 10_000).catch(
      () => undefined,
    );
    const { apologies, turnsLost, turnsTwice } = await judged();
    outcome.turns += expected.length;
    outcome.apologies += apologies;
    outcome.turnsLost += turnsLost;
    outcome.turnsTwice += turnsTwice;
    if (turnsLost + turnsTwice > 0) this.#remark(`stored: ${JSON.stringify(await fleet.fleet.spoken(record))}`);
    const effects = fleet.office.bookings - bookingsBefore;
    const wanted = this.#said.filter((what) => what === "table").length;
    outcome.effects += effects;
    outcome.effectsTwice += Math.max(0, effects - wanted);
    const missing = Math.max(0, wanted - effects - apologies - turnsLost);
    outcome.effectsLost += missing;
    if (missing > 0) this.#remark(`${wanted} tables were asked for, and ${effects} booked`);
  }

  async #record() {
    const { fleet } = this.#options;
    const id = this.#call?.id ?? "";
    const record = await fleet.fleet.state.calls.getByConnection(id);
    if (record === undefined) throw new Error("the call is not recorded");
    return record;
  }

  #remark(text: string): void {
    const { outcome, scenario } = this.#options;
    outcome.remarks.push(`${scenario.name}: ${text}`);
  }
}
