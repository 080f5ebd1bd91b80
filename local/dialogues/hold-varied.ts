/** Holds the same dialogues with callers who speak differently, and tabulates which of them were understood. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Dialogue } from "./dialogue.ts";
import { holdDialogue, turnsOf, type HeldDialogue } from "./hold-dialogue.ts";
import { countPrepared, preparedLine } from "../person/prepared-answers.ts";
import { inParallel } from "./in-parallel.ts";
import { paceLine, styleDeviations, styleLine, styleTotals, styleTranscripts, stylesHead } from "./result-table.ts";
import type { SpeakingStyle } from "./speaking-style.ts";
import type { SpokenLines } from "./spoken-lines.ts";

export interface VariedOptions {
  readonly styles: readonly SpeakingStyle[];
  readonly limit: number;
  /** The clock that the conversations run on. */
  readonly time: Clock;
  /** Prints everything that was said, too. */
  readonly transcripts: boolean;
}

export async function holdVaried(
  dialogues: readonly Dialogue[],
  spoken: Pick<SpokenLines, "openAs">,
  { styles, limit, time, transcripts }: VariedOptions,
): Promise<number> {
  const startedMs = performance.now();
  const nameWidth = Math.max(...dialogues.map(({ name }) => name.length));
  const names = styles.map(({ name }) => name);
  const rows = dialogues.map((dialogue) => ({ dialogue, held: new Map<number, HeldDialogue>() }));
  const inOrder = (held: ReadonlyMap<number, HeldDialogue>): readonly HeldDialogue[] =>
    styles.flatMap((_, at) => held.get(at) ?? []);
  const unprinted = [...rows];
  let talkedMs = 0;
  console.log(stylesHead(names, nameWidth));
  const calls = rows.flatMap((row) => styles.map((style, at) => ({ row, style, at })));
  await inParallel(calls, limit, async ({ row, style, at }) => {
    const beganMs = time.now();
    row.held.set(at, await holdDialogue(row.dialogue, spoken.openAs(style)));
    talkedMs += time.now() - beganMs;
    for (let next = unprinted[0]; next?.held.size === styles.length; next = unprinted[0]) {
      const held = inOrder(next.held);
      const lines = [styleLine(held, nameWidth, names), ...styleDeviations(held, names)];
      console.log([...lines, ...(transcripts ? styleTranscripts(held, names) : [])].join("\n"));
      unprinted.shift();
    }
  });
  const all = rows.map(({ held }) => inOrder(held));
  console.log(["", ...styleTotals(all, nameWidth, names)].join("\n"));
  console.log(preparedLine(countPrepared(all.flat().flatMap(turnsOf))));
  console.log(paceLine(all.flat().length, talkedMs, performance.now() - startedMs));
  return all.flat().every(({ passed }) => passed) ? 0 : 1;
}
