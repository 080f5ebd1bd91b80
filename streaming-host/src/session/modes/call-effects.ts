/**
 * Has the host carry out the effects that tools request on the call, and reports their start and outcome to the turn
 * machine.
 */
import { effectWords } from "../conversation/host-effects.ts";
import type { EffectOutcome, HostEffect } from "../conversation/host-effects.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";

/** `onHold`: called when the caller is put on hold and when they hear the agent again. */
export type CarryOutEffect = (effect: HostEffect, onHold: (isHeld: boolean) => void) => Promise<EffectOutcome>;

export type Dispatch = (event: TimelessTurnEvent) => void;

interface RunningEffect {
  readonly isHold: boolean;
  /** The caller hears music; undefined until the host says so. */
  onHold: boolean | undefined;
}

export class CallEffects {
  readonly #carryOut: CarryOutEffect;
  readonly #running = new Set<RunningEffect>();
  #dispatch: Dispatch;

  constructor(options: { readonly carryOut: CarryOutEffect; readonly dispatch: Dispatch }) {
    this.#carryOut = options.carryOut;
    this.#dispatch = options.dispatch;
  }

  request(effect: HostEffect): void {
    if (effect.type === "hang-up") this.#dispatch({ type: "end-requested", reason: effect.reason });
    else void this.#run(effect);
  }

  /** Something else has happened that the turn machine decides about, which may be the successor's by now. */
  tell(event: TimelessTurnEvent): void {
    this.#dispatch(event);
  }

  /**
   * FAIL-6: the session that goes on is told what is under way, how it ends and what else happens, even before that session has begun; and
   * what else is `open`.
   */
  handOver(open: readonly TimelessTurnEvent[]): (successor: Dispatch) => void {
    const pending = [...[...this.#running].flatMap(eventsOf), ...open];
    this.#dispatch = (event) => void pending.push(event);
    return (successor) => {
      this.#dispatch = successor;
      pending.forEach(successor);
    };
  }

  /** The caller hears ringing or music, so neither their silence nor missing audio counts. */
  async #run(effect: HostEffect): Promise<void> {
    const running: RunningEffect = { isHold: effect.type === "hold", onHold: undefined };
    const { isHold } = running;
    this.#running.add(running);
    this.#dispatch({ type: "effect-started", isHold });
    const outcome = await this.#carryOut(effect, (onHold) => {
      running.onHold = onHold;
      this.#dispatch({ type: "hold-changed", onHold });
    });
    this.#running.delete(running);
    this.#dispatch({ type: "effect-ended", isHold, words: effectWords(effect, outcome) });
  }
}

function eventsOf({ isHold, onHold }: RunningEffect): TimelessTurnEvent[] {
  const started = { type: "effect-started", isHold } as const;
  return onHold === undefined ? [started] : [started, { type: "hold-changed", onHold }];
}
