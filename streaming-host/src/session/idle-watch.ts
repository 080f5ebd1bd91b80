/**
 * What is due while nobody speaks, for modes whose turns are decided elsewhere: the caller's silence counts (IDLE-1,
 * IDLE-2), but not while the host does something with the call (EFFECT-3, EFFECT-7), and what came of that is said
 * (EFFECT-4).
 */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import { effectWords } from "./host-effects.ts";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import type { EffectWords } from "./turn/turn-effects.ts";
import { maxReprompts } from "./turn/turn-settings.ts";

export interface IdleWatchOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Somebody speaks, or is about to. */
  readonly isBusy: () => boolean;
  readonly carryOut: (effect: HostEffect) => Promise<EffectOutcome>;
  readonly onReprompt: () => void;
  readonly onGivenUp: () => void;
  /** What there is to say about such an effect. False when it could not be said now. */
  readonly onEffectWords: (words: EffectWords) => boolean;
}

export interface IdleWatch {
  /** To be called whenever somebody may have fallen silent. */
  rest(): void;
  /** Somebody speaks, or is about to. */
  stop(): void;
  /** The caller said something: patience starts anew. */
  reset(): void;
  /** The same for a sign of life that begins nothing. */
  restart(): void;
  carryOut(effect: HostEffect): Promise<void>;
}

export function createIdleWatch(options: IdleWatchOptions): IdleWatch {
  let cancel: CancelTimer | undefined;
  let reprompts = 0;
  let effectsRunning = 0;
  let holdsRunning = 0;
  let owedWords: EffectWords | undefined;

  function stop(): void {
    cancel?.();
    cancel = undefined;
  }

  function rest(): void {
    if (holdsRunning > 0 || options.isBusy()) return;
    stop();
    if (owedWords === undefined) cancel = options.clock.setTimer(options.idleMs, onSilence);
    else if (options.onEffectWords(owedWords)) owedWords = undefined;
  }

  function onSilence(): void {
    cancel = undefined;
    if (effectsRunning > 0) options.onEffectWords("patience");
    else if (reprompts++ < maxReprompts) options.onReprompt();
    else options.onGivenUp();
  }

  function reset(): void {
    stop();
    reprompts = 0;
  }

  return {
    rest,
    stop,
    reset,
    restart() {
      reset();
      rest();
    },
    async carryOut(effect) {
      const isHold = effect.type === "hold";
      effectsRunning++;
      if (isHold) holdsRunning++;
      stop();
      rest();
      const words = effectWords(effect, await options.carryOut(effect));
      effectsRunning--;
      if (isHold) holdsRunning--;
      owedWords = words ?? owedWords;
      rest();
    },
  };
}
