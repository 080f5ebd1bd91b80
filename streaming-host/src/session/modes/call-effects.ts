/** Has the host carry out what tools ask of the call, and tells the turn machine when it began and what came of it. */
import { effectWords } from "../conversation/host-effects.ts";
import type { EffectOutcome, HostEffect } from "../conversation/host-effects.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";

/** `onHold`: the caller hears music meanwhile, or hears us again. */
export type CarryOutEffect = (effect: HostEffect, onHold: (isHeld: boolean) => void) => Promise<EffectOutcome>;

export function createCallEffects(options: {
  readonly carryOut: CarryOutEffect;
  readonly dispatch: (event: TimelessTurnEvent) => void;
}): (effect: HostEffect) => void {
  const { carryOut, dispatch } = options;

  /** The caller hears ringing, or music: this is not their silence, and a failure is not ours. */
  async function run(effect: HostEffect): Promise<void> {
    const isHold = effect.type === "hold";
    dispatch({ type: "effect-started", isHold });
    const onHold = (isHeld: boolean): void => dispatch({ type: "hold-changed", onHold: isHeld });
    const words = effectWords(effect, await carryOut(effect, onHold));
    dispatch({ type: "effect-ended", isHold, words });
  }

  return (effect) => {
    if (effect.type === "hang-up") dispatch({ type: "end-requested", reason: effect.reason });
    else void run(effect);
  };
}
