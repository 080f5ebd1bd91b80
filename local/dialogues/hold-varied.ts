/** Holds the same dialogues with callers who speak differently, and tabulates which of them were understood. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Dialogue } from "./dialogue.ts";
import { holdDialogue, turnsOf, type HeldDialogue } from "./hold-dialogue.ts";
import { countPrepared, preparedLine } from "../person/prepared-answers.ts";
import { inParallel } from "./in-parallel.ts";
import { styleDeviations, styleLine, styleTotals, styleTranscripts, stylesHead } from "./result-table.ts";
import { variedStyles } from "./speaking-style.ts";
import type { SpokenLines } from "./spoken-lines.ts";

export interface VariedOptions {
  readonly limit: number;
  /** The clock that the conversations run on. */
  readonly time: Clock;
  /** Prints everything that was said, too. */
  readonly transcripts: boolean;
}

export async function holdVaried(
  dialogues: readonly Dialogue[],
  spoken: Pick<SpokenLines, "openAs">,
  { limit, time, transcripts }: VariedOptions,
): Promise<number> {
  const [startedMs, conversationMs] = [performance.now(), time.now()];
  const nameWidth = Math.max(...dialogues.map(({ name }) => name.length));
  const names = variedStyles.map(({ name }) => name);
  console.log(stylesHead(names, nameWidth));
  const all: (readonly HeldDialogue[])[] = [];
  for (const dialogue of dialogues) {
    const held: HeldDialogue[] = [];
    await inParallel([...variedStyles.entries()], limit, async ([at, style]) => {
      held[at] = await holdDialogue(dialogue, spoken.openAs(style));
    });
    console.log([styleLine(held, nameWidth, names), ...styleDeviations(held, names)].join("\n"));
    if (transcripts) console.log(styleTranscripts(held, names).join("\n"));
    all.push(held);
  }
  console.log(styleTotals(all, nameWidth, names));
  const seconds = (performance.now() - startedMs) / 1000;
  const talked = (time.now() - conversationMs) / 1000;
  console.log(preparedLine(countPrepared(all.flat().flatMap(turnsOf))));
  console.log(`\n${talked.toFixed(0)} s of conversations at once in ${seconds.toFixed(0)} s`);
  return all.flat().every(({ passed }) => passed) ? 0 : 1;
}
