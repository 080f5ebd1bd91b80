/** Holds the same dialogues with several published versions of the agents, and shows side by side how each of them does. */
import type { Dialogue } from "./dialogue.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { holdDialogue, type HeldDialogue } from "./hold-dialogue.ts";
import { resultJson } from "./result-json.ts";
import { styleDeviations, styleLine, styleTotals, styleTranscripts, stylesHead } from "./result-table.ts";

export interface VersionLine {
  readonly version: number;
  readonly open: OpenDialogueLine;
}

/** `json`: for programs, a line for each dialogue with each version. The exit code: 0 if the last version goes as written wherever the first one does. */
export async function holdVersions(
  dialogues: readonly Dialogue[],
  versions: readonly VersionLine[],
  {
    json,
    transcripts,
    print = console.log,
  }: { readonly json: boolean; readonly transcripts: boolean; readonly print?: (text: string) => void },
): Promise<number> {
  const nameWidth = Math.max(...dialogues.map(({ name }) => name.length));
  const names = versions.map(({ version }) => (version === 0 ? "files" : `version ${version}`));
  if (!json) print(stylesHead(names, nameWidth));
  const all: (readonly HeldDialogue[])[] = [];
  for (const dialogue of dialogues) {
    const held: HeldDialogue[] = [];
    for (const { version, open } of versions) {
      const one = await holdDialogue(dialogue, open);
      held.push(one);
      if (json) print(resultJson(one, version));
    }
    all.push(held);
    if (json) continue;
    const lines = [styleLine(held, nameWidth, names), ...styleDeviations(held, names)];
    print([...lines, ...(transcripts ? styleTranscripts(held, names) : [])].join("\n"));
  }
  if (!json) print(["", ...styleTotals(all, nameWidth, names)].join("\n"));
  return all.every((held) => held[0]?.passed === false || held.at(-1)?.passed === true) ? 0 : 1;
}
