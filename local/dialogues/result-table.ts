/** What the person at the terminal reads: a line for each dialogue, and under a failed one what was expected and what came. */
import type { HeldDialogue, HeldStep } from "./hold-dialogue.ts";

export function tableHead(nameWidth: number): string {
  return `${"scenario".padEnd(10)}  ${"dialogue".padEnd(nameWidth)}  ${"steps".padStart(7)}  result`;
}

export function resultLines({ dialogue, steps, passed }: HeldDialogue, nameWidth: number): readonly string[] {
  const taken = `${steps.length - 1}/${dialogue.steps.length}`;
  const line = `${dialogue.scenario.padEnd(10)}  ${dialogue.name.padEnd(nameWidth)}  ${taken.padStart(7)}  ${passed ? "ok" : "FAILED"}`;
  return [line, ...steps.flatMap(deviationLines)];
}

function deviationLines({ action, reply, deviations }: HeldStep, index: number): readonly string[] {
  if (deviations.length === 0) return [];
  const did = action === undefined ? "the greeting" : action.kind === "dtmf" ? action.keys : `"${action.text}"`;
  const heard = action?.kind === "say" && reply.heardText !== action.text ? ` (heard: "${reply.heardText}")` : "";
  return [
    `    step ${index}: ${did}${heard}`,
    ...deviations.flatMap(({ expected, got }) => [`      expected: ${expected}`, `      got:      ${got}`]),
  ];
}
