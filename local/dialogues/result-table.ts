/** The results for a terminal: a line for each dialogue, and under a failed one what was expected and what happened. */
import { basename } from "node:path";
import { doing } from "./doing.ts";
import { bare } from "./judge-step.ts";
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
  const did = doing(action);
  return [
    `    step ${index}: ${did}${misheard(action, reply)}`,
    ...deviations.flatMap(({ expected, got }) => [`      expected: ${expected}`, `      got:      ${got}`]),
  ];
}

function misheard(action: HeldStep["action"], { heardText }: HeldStep["reply"]): string {
  return action?.kind === "say" && bare(heardText) !== bare(action.text) ? ` (heard: "${heardText}")` : "";
}

/** Everything that was said, for reading it as a caller would hear it. */
export function transcriptLines({ steps }: HeldDialogue): readonly string[] {
  return steps.flatMap(({ action, reply }) => {
    const caller = action === undefined ? [] : [`    caller: ${doing(action)}${misheard(action, reply)}`];
    const tools = reply.toolCalls.map(({ name, status }) => `    (${name}: ${status})`);
    const agents = reply.says.map(({ agent, text, interrupted }) => `    ${agent}: ${text}${interrupted ? " –" : ""}`);
    return [...caller, ...tools, ...agents];
  });
}

/** One dialogue, several callers: a column for each way of speaking. */
export function stylesHead(styles: readonly string[], nameWidth: number): string {
  return cells("dialogue", styles, nameWidth, styles);
}

export function styleLine(held: readonly HeldDialogue[], nameWidth: number, styles: readonly string[]): string {
  const results = held.map(({ passed, steps }) => (passed ? "ok" : `step ${steps.length - 1}`));
  return cells(held[0]?.dialogue.name ?? "", results, nameWidth, styles);
}

/** Under a dialogue's line: what did not go as written, and whose calls it was. Callers to whom the same happened share it. */
export function styleDeviations(held: readonly HeldDialogue[], styles: readonly string[]): readonly string[] {
  const callersOf = new Map<string, string[]>();
  for (const [at, { steps }] of held.entries()) {
    const lines = steps.flatMap(deviationLines).join("\n");
    if (lines !== "") callersOf.set(lines, [...(callersOf.get(lines) ?? []), styles[at] ?? ""]);
  }
  return [...callersOf].flatMap(([lines, callers]) => [`  ${callers.join(", ")}:`, lines]);
}

export function styleTranscripts(held: readonly HeldDialogue[], styles: readonly string[]): readonly string[] {
  return held.flatMap((call, at) => [`  ${styles[at] ?? ""}:`, ...transcriptLines(call)]);
}

/** How many of the dialogues went as written, for each file and altogether. */
export function styleTotals(
  all: readonly (readonly HeldDialogue[])[],
  nameWidth: number,
  styles: readonly string[],
): readonly string[] {
  const files = Map.groupBy(all, ([held]) => basename(held?.dialogue.file ?? "", ".dialogue.yaml"));
  const total = (name: string, rows: readonly (readonly HeldDialogue[])[]): string => {
    const counts = styles.map((_, at) => `${rows.filter((held) => held[at]?.passed === true).length}/${rows.length}`);
    return cells(name, counts, nameWidth, styles);
  };
  const each = [...files].map(([name, rows]) => total(name, rows));
  return [...(files.size > 1 ? each : []), total("as written", all)];
}

/** How much faster than real time the calls were held. */
export function paceLine(calls: number, talkedMs: number, passedMs: number): string {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;
  const times = (talkedMs / Math.max(1, passedMs)).toFixed(0);
  return `${calls} calls of ${seconds(talkedMs)} altogether in ${seconds(passedMs)}: ${times} times as fast as real time`;
}

function cells(name: string, values: readonly string[], nameWidth: number, styles: readonly string[]): string {
  const columns = styles.map((style, at) => (values[at] ?? "").padStart(Math.max(8, style.length + 2)));
  return `${name.padEnd(nameWidth)}${columns.join("")}`;
}
