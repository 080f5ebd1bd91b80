/**
 * Has the host carry out the effects that tools request on the call, and reports their start and outcome to the turn
 * machine.
 */
import { effectWords } from "../conversation/host-effects.ts";
import type { EffectOutcome, HostEffect } from "../conversation/host-effects.ts";
import type { TimelessTurnEvent } from "../turn/turn-events.ts";

/** `onHold`: called when the caller is put on hold and when they hear the agent again. */
export type CarryOutEffect = (effect: HostEffect, onHold: (isHeld: boolean) => void) => Promise<EffectOutcome>;

export function createCallEffects(options: {
  readonly carryOut: CarryOutEffect;
  readonly dispatch: (event: TimelessTurnEvent) => void;
}): (effect: HostEffect) => void {
  const { carryOut, dispatch } = options;

  /** The caller hears ringing or music, so neither their silence nor missing audio counts. */
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
