/** Has the host carry out what tools ask of the call, and tells the turn machine when it began and what came of it. */
import type { Clock } from "@voice/shared/platform/clock";
import { effectWords } from "./host-effects.ts";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import type { TurnEvent } from "./turn/turn-events.ts";

export function createCallEffects(options: {
  readonly clock: Clock;
  readonly carryOut: (effect: HostEffect) => Promise<EffectOutcome>;
  readonly dispatch: (event: TurnEvent) => void;
}): (effect: HostEffect) => void {
  const { clock, carryOut, dispatch } = options;

  /** The caller hears ringing, or music: this is not their silence, and a failure is not ours. */
  async function run(effect: HostEffect): Promise<void> {
    const isHold = effect.type === "hold";
    dispatch({ type: "effect-started", isHold, atMs: clock.now() });
    const words = effectWords(effect, await carryOut(effect));
    dispatch({ type: "effect-ended", isHold, words, atMs: clock.now() });
  }

  return (effect) => {
    if (effect.type === "hang-up") dispatch({ type: "end-requested", reason: effect.reason, atMs: clock.now() });
    else void run(effect);
  };
}
