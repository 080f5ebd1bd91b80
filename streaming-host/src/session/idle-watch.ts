/**
 * What is due while nobody speaks, for modes whose turns are decided elsewhere: the caller's silence counts (IDLE-1,
 * IDLE-2), but not while the host does something with the call (EFFECT-3), and what failed of that is said (EFFECT-4).
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import { maxReprompts } from "./turn/turn-settings.ts";

export interface IdleWatchOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Somebody speaks, or is about to. */
  readonly isBusy: () => boolean;
  readonly carryOut: (effect: HostEffect) => Promise<EffectOutcome>;
  readonly onReprompt: () => void;
  readonly onGivenUp: () => void;
  /** False when it could not be said now. */
  readonly onRegret: () => boolean;
}

export interface IdleWatch {
  /** To be called whenever somebody may have fallen silent. */
  rest(): void;
  /** Somebody speaks, or is about to. */
  stop(): void;
  /** The caller said something: patience starts anew. */
  reset(): void;
  carryOut(effect: HostEffect): Promise<void>;
}

export function createIdleWatch(options: IdleWatchOptions): IdleWatch {
  let cancel: CancelTimer | undefined;
  let reprompts = 0;
  let effectsRunning = 0;
  let owesRegret = false;

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  function rest(): void {
    if (effectsRunning > 0 || options.isBusy()) return;
    stop();
    if (owesRegret) owesRegret = !options.onRegret();
    else cancel = options.clock.setTimer(options.idleMs, onSilence);
  }

  function onSilence(): void {
    cancel = undefined;
    if (reprompts++ < maxReprompts) options.onReprompt();
    else options.onGivenUp();
  }

  return {
    rest,
    stop,
    reset() {
      stop();
      reprompts = 0;
    },
    async carryOut(effect) {
      effectsRunning++;
      stop();
      const { ok } = await options.carryOut(effect);
      effectsRunning--;
      owesRegret ||= !ok;
      rest();
    },
  };
}
