/** The result of a dialogue, for a program to read. */
import { doing } from "./doing.ts";
import type { HeldDialogue } from "./hold-dialogue.ts";

/** `version`: the published one that was held, where several are. */
export function resultJson({ dialogue, steps, passed }: HeldDialogue, version?: number): string {
  return JSON.stringify({
    version,
    name: dialogue.name,
    passed,
    taken: steps.length - 1,
    steps: dialogue.steps.length,
    deviations: steps.flatMap(({ action, deviations }) =>
      deviations.map(({ expected, got }) => ({ did: doing(action), expected, got })),
    ),
  });
}
