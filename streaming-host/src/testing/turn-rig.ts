/** Runs the turn machine on a virtual clock as a session would, and records its effects. For tests. */
import type { EndOfTurnEstimator } from "@voice/provider-kit/ports/end-of-turn";
import { packOf } from "@voice/shared/languages/packs";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { SessionTimers } from "../session/modes/turn-timers.ts";
import { stepTurn } from "../session/turn/turn-machine.ts";
import type { ReplyPlan, TurnEffect } from "../session/turn/turn-effects.ts";
import type { TimelessTurnEvent, TurnEvent } from "../session/turn/turn-events.ts";
import { turnLanguage } from "../session/turn/text-kind.ts";
import { cascadePolicy } from "../session/turn/turn-policy.ts";
import { defaultIdleMs } from "../session/turn/turn-settings.ts";
import type { TurnSettings } from "../session/turn/turn-settings.ts";
import { initialTurnState } from "../session/turn/turn-state.ts";
import type { TurnState } from "../session/turn/turn-state.ts";

/** Waits as long as the setting says, whatever was said; tests of the wait itself pass another estimate. */
export const patientEstimator: EndOfTurnEstimator = {
  estimate: ({ middleMs }) => ({ probability: 0.5, waitMs: middleMs, reasons: ["settled"] }),
};

/** FAIL-1, as in the settings. */
export const deadAirMs = 10_000;

/** For tests to which the text does not matter. */
export const english = turnLanguage(packOf("en"));

export interface TimedEffect {
  readonly atMs: number;
  readonly effect: TurnEffect;
}

export class TurnRig {
  readonly clock = new VirtualClock();
  readonly effects: TimedEffect[] = [];
  state: TurnState = initialTurnState(0);
  /** Called at every step, for invariants. */
  onStep: ((before: TurnState, event: TurnEvent, after: TurnState, effects: readonly TurnEffect[]) => void) | undefined;
  /** Called as soon as a step has silenced the agent. */
  onSilence: () => void = () => undefined;
  readonly #settings: TurnSettings;
  readonly #timers = new SessionTimers(this.clock, (timer) => this.send({ type: "timer", timer }));

  constructor(settings: Partial<TurnSettings> = {}) {
    this.#settings = {
      policy: cascadePolicy,
      silenceMs: 500,
      estimator: patientEstimator,
      language: english,
      expected: { kind: "nothing" },
      silenceTimeoutMs: 2000,
      bargeInEnabled: true,
      bargeInThresholdMs: 10,
      idleMs: defaultIdleMs,
      deadAirMs,
      fillerMs: 0,
      ...settings,
    };
  }

  send(event: TimelessTurnEvent): void {
    const before = this.state;
    const timed = { ...event, atMs: this.clock.now() };
    const result = stepTurn(before, timed, this.#settings, () => this.onSilence());
    this.state = result.state;
    this.onStep?.(before, timed, result.state, result.effects);
    for (const effect of result.effects) {
      this.effects.push({ atMs: this.clock.now(), effect });
      if (effect.type === "set-timer") this.#timers.set(effect.timer, effect.delayMs);
      if (effect.type === "clear-timer") this.#timers.clear(effect.timer);
    }
  }

  wait(ms: number): void {
    this.clock.advance(ms);
  }

  /** Speaks for `durationMs`; the detector reports the start after 120 ms and the end after 160 ms. */
  speak(durationMs: number, partial?: string): void {
    const sinceMs = this.clock.now();
    this.wait(120);
    this.send({ type: "speech-started", sinceMs });
    if (partial !== undefined) this.partial(partial);
    this.wait(Math.max(0, durationMs - 120));
    const stoppedMs = this.clock.now();
    this.wait(160);
    this.send({ type: "speech-stopped", stoppedMs });
  }

  partial(text: string, endedMs = this.clock.now()): void {
    this.send({ type: "partial", text, endedMs });
  }

  final(text: string, replyRemainingMs = Number.POSITIVE_INFINITY): void {
    this.send({ type: "final", text, endedMs: this.clock.now(), replyRemainingMs });
  }

  /** Starts the reply's audio now. */
  audible(): void {
    this.send({ type: "reply-audible", turnId: `turn-${this.state.turnCount}` });
  }

  drained(): void {
    this.send({ type: "reply-drained", turnId: `turn-${this.state.turnCount}` });
  }

  of<T extends TurnEffect["type"]>(type: T): (Extract<TurnEffect, { type: T }> & { atMs: number })[] {
    return this.effects.flatMap(({ atMs, effect }) => (isOf(effect, type) ? [{ ...effect, atMs }] : []));
  }

  get replies(): readonly (ReplyPlan & { atMs: number })[] {
    return this.of("begin-reply").map(({ plan, atMs }) => ({ ...plan, atMs }));
  }
}

function isOf<T extends TurnEffect["type"]>(effect: TurnEffect, type: T): effect is Extract<TurnEffect, { type: T }> {
  return effect.type === type;
}
