/** Turns that are only transcribed: each final is one. */
import type { CallerRules } from "./caller-rules.ts";
import { nextTurnId } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";

export const writtenTurns: CallerRules = {
  onSoundStarted: () => undefined,
  onSpeechStarted: () => undefined,
  onSpeechStopped: () => undefined,
  onVoiceJudged: () => undefined,
  onPartial: () => undefined,
  onFinal: (step, { text }) => write(step, text),
  onWholeTurn: write,
  onCallerFinished: (step) => step.emit({ type: "flush-recogniser" }),
  onFalseAlarmDue: () => undefined,
  onPaused: () => undefined,
  onFloorFree: () => undefined,
};

function write(step: TurnStep, text: string): void {
  if (text === "") return;
  step.emit({ type: "keep-words", turnId: nextTurnId(step.state), text });
  step.patch({ turnCount: step.state.turnCount + 1 });
}
