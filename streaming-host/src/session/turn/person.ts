/** PERSON-4: a person has taken the agent's place. The agent is silent, and what the caller says is stored and not answered. */
import type { CallerRules } from "./caller-rules.ts";
import { mayBeCutOff } from "./interruption.ts";
import { refuseLine } from "./operator-lines.ts";
import { giveUpAnswer } from "./service-turns.ts";
import { restartIdle } from "./silence.ts";
import { emptyUserTurn, runningReply, userText } from "./turn-state.ts";
import type { TurnState } from "./turn-state.ts";
import type { TurnStep } from "./turn-step.ts";
import { writeTurn } from "./written-turns.ts";

export const besidePerson: CallerRules = {
  onSpeechStopped: flush,
  onFinal: writeTurn,
  onWholeTurn: (step, text) => writeTurn(step, { text }),
  onCallerFinished: flush,
};

/** The recogniser waits for the end of a turn, which nobody else decides here. A realtime service finds it by itself. */
function flush(step: TurnStep): void {
  if (step.settings.policy.turnsEndedBy === "us") step.emit({ type: "flush-recogniser" });
}

export function onPersonJoined(step: TurnStep): void {
  if (step.state.withPerson) return;
  const { agent, user, lines } = step.state;
  const reply = runningReply(agent);
  // An announcement that has to be made, and a goodbye, are heard to their end.
  if (reply === undefined || mayBeCutOff(reply)) step.cancelReply("superseded");
  if (userText(user) !== "") step.keepUnanswered();
  step.discardPrepared();
  if (step.settings.policy.turnsEndedBy === "service") giveUpAnswer(step);
  for (const line of lines) refuseLine(step, line, "agent_silent");
  step.clearTimers("idle", "end-of-turn", "flush", "turn-watchdog", "false-alarm");
  step.patch({ ...nothingPending, withPerson: true, lines: [] });
}

/** PERSON-7: the agent knows what was said, and continues. */
export function onPersonLeft(step: TurnStep): void {
  if (!step.state.withPerson) return;
  step.patch({ ...nothingPending, withPerson: false });
  if (step.state.agent.kind === "listening" && !step.state.onHold) step.beginReply("return");
  else restartIdle(step);
}

/** What the person says is a turn of its own. */
export function onPersonSaid(step: TurnStep, words: { readonly text: string; readonly endedMs: number }): void {
  writeTurn(step, words, "person");
}

const nothingPending: Partial<TurnState> = {
  user: emptyUserTurn,
  stopped: undefined,
  pendingWords: undefined,
  gap: undefined,
  lateFinal: undefined,
  owesAnswer: false,
  firstMove: "listen",
  reprompts: 0,
  clarifications: 0,
};
