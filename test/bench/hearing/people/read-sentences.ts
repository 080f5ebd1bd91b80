/** Sentences that people have read aloud, of which no agent has an example: how many of their words are recognised. */
import { join } from "node:path";
import type { Agent } from "@voice/shared/catalog/agent";
import { hearingRateHz } from "../callers.ts";
import { wordErrors } from "../word-errors.ts";
import { intentIn } from "./commands.ts";
import type { MeasuredPeople } from "./commands.ts";
import { formatFinalTimes } from "./final-times.ts";
import { readRecording } from "./recordings.ts";
import { readSet } from "./sets.ts";
import { formatShare } from "./wilson.ts";

const novel = "librivox/sense_and_sensibility_01_austen_64kb";
const sentences: Readonly<Record<string, string>> = {
  [`${novel}-0870.wav`]:
    "and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them",
  [`${novel}-0880.wav`]: "he was not an ill disposed young man",
  [`${novel}-0890.wav`]: "unless to be rather cold hearted and rather selfish is to be ill disposed",
  [`${novel}-0920.wav`]:
    "had he married a more amiable woman he might have been made still more respectable than he was",
  [`${novel}-0930.wav`]: "he might even have been made amiable himself",
  "cards/001.wav": "ten of clubs",
  "cards/002.wav": "four queen of clubs",
  "cards/003.wav": "seven of clubs",
  "cards/004.wav": "five five",
  "cards/005.wav": "eight of spades four of clubs seven of hearts",
  "goforward.raw": "go forward ten meters",
};

export async function measureReadSentences(
  { people, listener, lines, show }: MeasuredPeople,
  agent: Agent,
): Promise<void> {
  const all = Object.entries(sentences);
  console.log(`\nSentences that ${agent.name} has no example of (${readSet.folder}, held out)\n`);
  console.log(
    "| line | wrong words | taken for a wish | ms until the final, half and 90 % | ms CPU per second |\n| --- | --- | --- | --- | --- |",
  );
  for (const line of lines) {
    const totals = { words: 0, errors: 0, taken: 0, cpuMs: 0, audioMs: 0 };
    const timesMs: number[] = [];
    for (const [file, text] of all) {
      const audio = line.carry(await readRecording(join(people, readSet.folder, "test", "data", file)), file);
      const heard = await listener.hear(audio, agent, line);
      const { words, errors } = wordErrors(text, heard.text);
      totals.words += words;
      totals.errors += errors;
      if (intentIn(agent, heard.text) !== undefined) totals.taken += 1;
      timesMs.push(...(heard.finalAfterMs === undefined ? [] : [heard.finalAfterMs]));
      totals.cpuMs += heard.cpuMs;
      totals.audioMs += (audio.length / (line.sampleRateHz ?? hearingRateHz)) * 1000;
      if (show) console.log(`  ${line.name} ${(heard.finalAfterMs ?? 0).toFixed(0)} ms: "${text}" → "${heard.text}"`);
    }
    const wrong = `${((totals.errors / totals.words) * 100).toFixed(0)} % of ${totals.words}`;
    const perSecond = ((totals.cpuMs / totals.audioMs) * 1000).toFixed(1);
    console.log(
      `| ${line.name} | ${wrong} | ${formatShare(totals.taken, all.length)} | ${formatFinalTimes(timesMs)} | ${perSecond} |`,
    );
  }
}
