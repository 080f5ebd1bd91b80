/** The result of a dialogue, for a program to read. */
import type { HeldDialogue, HeldStep } from "./hold-dialogue.ts";

export function resultJson({ dialogue, steps, passed }: HeldDialogue): string {
  return JSON.stringify({
    name: dialogue.name,
    passed,
    taken: steps.length - 1,
    steps: dialogue.steps.length,
    deviations: steps.flatMap(({ action, deviations }) =>
      deviations.map(({ expected, got }) => ({ did: doing(action), expected, got })),
    ),
  });
}

function doing(action: HeldStep["action"]): string {
  if (action === undefined) return "the greeting";
  return action.kind === "dtmf" ? `the keys ${action.keys}` : action.text;
}
