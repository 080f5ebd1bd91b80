/** Runs a dialogue step by step, up to the first step that does not go as expected. */
import { toVoiceError } from "@voice/shared/platform/errors";
import { readReply } from "../person/reply.ts";
import type { Reply, TurnMetrics } from "../person/reply.ts";
import type { DialogueLine, OpenDialogueLine } from "./dialogue-line.ts";
import type { Dialogue, DialogueAction, Expectations } from "./dialogue.ts";
import { profileAsAnswer } from "./dialogue-profile.ts";
import { fillIn } from "./fill-in.ts";
import { judgeInterruption, judgeReply } from "./judge-step.ts";
import type { Deviation } from "./judge-step.ts";

export interface HeldStep {
  /** Undefined for the greeting. */
  readonly action: DialogueAction | undefined;
  readonly reply: Reply;
  readonly deviations: readonly Deviation[];
}

export interface HeldDialogue {
  readonly dialogue: Dialogue;
  /** The greeting, then the steps that were reached; only the last one can have deviations. */
  readonly steps: readonly HeldStep[];
  readonly passed: boolean;
}

export function turnsOf({ steps }: HeldDialogue): readonly TurnMetrics[] {
  return steps.flatMap(({ reply }) => reply.metrics);
}

export async function holdDialogue(dialogue: Dialogue, open: OpenDialogueLine): Promise<HeldDialogue> {
  const held: HeldStep[] = [];
  let line: DialogueLine;
  try {
    line = await open(dialogue);
  } catch (error) {
    const deviations = [{ expected: "a connection", got: toVoiceError(error).message }];
    return { dialogue, steps: [{ action: undefined, reply: readReply([], 0), deviations }], passed: false };
  }
  try {
    for (let index = -1; index < dialogue.steps.length; index++) {
      const step = await takeStep(dialogue, index, line, held);
      held.push(step);
      if (step.deviations.length > 0) break;
    }
  } finally {
    await line.close();
  }
  return { dialogue, steps: held, passed: held.every(({ deviations }) => deviations.length === 0) };
}

async function takeStep(
  dialogue: Dialogue,
  index: number,
  line: DialogueLine,
  held: readonly HeldStep[],
): Promise<HeldStep> {
  const { steps, greetingHas } = dialogue;
  const step = steps[index];
  const expects: Expectations = step?.expects ?? { answerHas: greetingHas, answerLacks: [] };
  const answers = [profileAsAnswer(dialogue), ...held.flatMap(({ reply }) => reply.toolCalls)];
  const action = step && fillIn(step.action, answers);
  const interruptAfterMs = steps[index + 1]?.interruptAfterMs;
  const lack: Deviation[] = [];
  try {
    if (action !== undefined) await line.act(action);
    if (expects.noAnswer === true) await line.hearNothing();
    else if (interruptAfterMs === undefined) await line.hearOut();
    else await line.hearBeginning(interruptAfterMs);
  } catch (error) {
    lack.push({ expected: "an answer", got: toVoiceError(error).message });
  }
  const { reply } = line;
  const interruption =
    action === undefined || step?.interruptAfterMs === undefined ? [] : judgeInterruption(action, reply);
  return { action, reply, deviations: [...lack, ...interruption, ...judgeReply(expects, reply)] };
}
