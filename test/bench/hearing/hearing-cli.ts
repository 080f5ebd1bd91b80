/**
 * `npm run bench:hearing`: which callers the local recogniser understands. 40 sentences for each caller and line; a sentence counts
 * when the wish that it stands for is found in what was heard.
 */
import { wholeNumber } from "../../../local/command-line/option-kinds.ts";
import { readToolArguments } from "../../../local/command-line/tool-arguments.ts";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import { AgentMeanings } from "@voice/local-voice/meaning/agent-meanings";
import { createSentenceEncoder } from "@voice/local-voice/meaning/sentence-encoder";
import { loadNoiseSuppression } from "@voice/local-voice/recogniser/noise-suppressor";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadCatalog } from "@voice/shared/catalog/load-catalog";
import { demoCatalogDirs, demoTools } from "@voice/shared/demo/demo-parts";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { z } from "zod";
import { heldOutPrograms, hearingRateHz, otherCaller, ownCaller, tuningPrograms } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { babbleLine, cutLine, distantLine, lossyLine, noisyLine, quietLine, roomLine, telephoneLine } from "./lines.ts";
import type { Line } from "./lines.ts";
import { createHearingListener } from "./listener.ts";
import { freeSentences, freeSets } from "./free-sentences.ts";
import { measurePeople, ownCatalogDir, peopleMeasures } from "./people/measure-people.ts";
import { judgeSentence } from "./judge-sentence.ts";
import type { Verdict } from "./judge-sentence.ts";
import { measureShortAnswers } from "./short-answers.ts";
import { foreignSentences, sentenceSets, wishSentences } from "./sentences.ts";
import type { SentenceSet } from "./sentences.ts";
import { wordErrors } from "./word-errors.ts";

const { values } = readToolArguments({
  name: "npm run bench:hearing",
  help: `Which callers the local recogniser understands, of 40 sentences each.

  npm run bench:hearing -- --set held-out --callers rms,slt --lines telephone
  npm run bench:hearing -- --people DIR --limit 60 --lines clean

  --set NAME            ${[...sentenceSets, ...freeSets].join(", ")}; free: wishes in other words than any example's (held-out)
  --callers NAME,NAME   only these voices
  --lines NAME,NAME     only these lines
  --answers             answers of a word and codes instead, each at many places on the recogniser's frames; own voices by default
  --people DIR          recordings of people instead; without sets in DIR, it says where they are to be had
  --measures NAME,NAME  of people only: ${peopleMeasures.join(", ")}
  --limit N --skip N    so many of the recordings of people, and which
  --catalog DIR         another catalog with a barista who takes the people's orders
  --words-alone         as with LOCAL_SENTENCE_MEANING=false
  --noise-suppression   as with LOCAL_NOISE_SUPPRESSION
  --show                what was heard instead`,
  options: {
    set: z.string().default("held-out"),
    callers: z.string().default(""),
    lines: z.string().default(""),
    answers: z.boolean().default(false),
    people: z.string().optional(),
    measures: z.string().default(""),
    limit: wholeNumber(1, 1_000_000).default(1_000_000),
    skip: wholeNumber(0, 1_000_000).default(0),
    catalog: z.string().default(ownCatalogDir),
    "words-alone": z.boolean().default(false),
    "noise-suppression": z.boolean().default(false),
    show: z.boolean().default(false),
  },
});
const set: SentenceSet = sentenceSets.find((name) => name === values.set) ?? "held-out";
const babbleSentences = [
  "the quick brown fox jumps over the lazy dog and runs away into the forest",
  "we should have left an hour earlier to be home before the storm",
  "she sells sea shells by the shore while the others watch the boats",
  "nobody told me that the meeting had been moved to another building",
  "bring some bread and butter and a dozen eggs when you come back",
  "the first train was late and the second one did not stop here at all",
];

const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] }, { language: catalogLanguage });
const suppressNoise = values["noise-suppression"] ? await loadNoiseSuppression() : undefined;
const listener = await createHearingListener("both", suppressNoise);
if (values.people !== undefined) {
  const { skip: start, limit: count } = values;
  await measurePeople({
    people: values.people,
    demo: catalog,
    listener,
    catalogDir: values.catalog,
    measures: (name) => isNamed(values.measures, name),
    isLineIncluded: (name) => isNamed(values.lines, name),
    part: [start, start + count],
    show: values.show,
  });
  process.exit(0);
}
const synthesiser = await createLocalSynthesiser({ logger: silentLogger });
const cellWidth = 22;
const ownVoices = ["rms", "slt", "awb"];
const talkers = await Promise.all(
  babbleSentences.map((text, at) => ownCaller(synthesiser, ownVoices[at % ownVoices.length] ?? "rms").speak(text)),
);
const lines: readonly Line[] = [
  quietLine,
  telephoneLine,
  roomLine,
  noisyLine(20),
  noisyLine(10),
  cutLine(20),
  lossyLine(quietLine, 5),
  lossyLine(noisyLine(20), 5),
  babbleLine(talkers, 20),
  babbleLine(talkers, 10),
  distantLine(-24),
].filter(({ name }) => isNamed(values.lines, name));
const programs = values.answers && values.callers === "" ? [] : set === "tuning" ? tuningPrograms : heldOutPrograms;
const others = await Promise.all(programs.map(otherCaller));
const callers: readonly Caller[] = [
  ...ownVoices.map((voice) => ownCaller(synthesiser, voice)),
  ...others.flatMap((caller) => caller ?? []),
].filter(({ name }) => isNamed(values.callers, name));
if (others.includes(undefined)) console.log("some of the other synthesisers are not installed and are left out");
if (values.answers) {
  await measureShortAnswers({ catalog, listener, callers, set, show: values.show });
  await synthesiser.close();
  process.exit(0);
}

const freeSet = freeSets.find((name) => name === values.set);
const wishes = freeSet === undefined ? wishSentences(catalog, set) : freeSentences(catalog, freeSet);
const sentences = [...wishes, ...foreignSentences(catalog, set)];
const totals = { cpuMs: 0, audioMs: 0, wrong: 0, utterances: 0, words: 0, wordErrors: 0 };
const head = ["caller".padEnd(32), ...lines.map(({ name }) => name.padStart(cellWidth))].join("");
console.log(
  `${values.set}: right of ${sentences.filter(({ intent }) => intent !== undefined).length}, + right once asked about (wrong intents / foreign taken / asked in vain)`,
);
const encoder = values["words-alone"]
  ? undefined
  : await createSentenceEncoder({ clock: systemClock, logger: silentLogger });
const meanings = encoder && new AgentMeanings(encoder);
const written = noCounts();
for (const sentence of sentences) written[await judgeSentence(sentence, { text: sentence.text }, meanings)] += 1;
console.log(`the text itself, unheard: ${countsCell(written)}`);
console.log(head);
for (const caller of callers) {
  const cells: string[] = [];
  const spoken = await Promise.all(sentences.map(({ text }) => caller.speak(text)));
  for (const line of lines) {
    const counts = noCounts();
    for (const [at, sentence] of sentences.entries()) {
      const audio = line.carry(spoken[at] ?? new Int16Array());
      const heard = await listener.hear(audio, sentence.agent);
      const verdict = await judgeSentence(sentence, heard, meanings);
      counts[verdict] += 1;
      totals.cpuMs += heard.cpuMs;
      totals.audioMs += (audio.length / hearingRateHz) * 1000;
      totals.utterances += 1;
      const { words, errors } = wordErrors(sentence.text, heard.text);
      totals.words += words;
      totals.wordErrors += errors;
      if (verdict === "wrong" || verdict === "foreign") totals.wrong += 1;
      if (values.show && verdict !== "right")
        console.log(
          `  ${line.name}: "${sentence.text}" → "${heard.text}"${heard.guess === undefined ? "" : ` (guess: "${heard.guess}")`} ${verdict}, ${heard.turns} turns`,
        );
    }
    cells.push(countsCell(counts).padStart(cellWidth));
  }
  console.log([caller.name.padEnd(32), ...cells].join(""));
}
const perSecond = totals.cpuMs / (totals.audioMs / 1000);
console.log(
  `\n${totals.utterances} utterances, ${totals.wrong} taken for something else; ${((totals.wordErrors / totals.words) * 100).toFixed(0)} % of the words otherwise than they were said; ${perSecond.toFixed(1)} ms of processor time per second of audio`,
);
await synthesiser.close();
process.exit(0);

/** `names`: parts of names, between commas; none stands for all. */
function isNamed(names: string, name: string): boolean {
  return names === "" || names.split(",").some((part) => name.includes(part));
}

function noCounts(): Record<Verdict, number> {
  return { right: 0, asked: 0, wrong: 0, foreign: 0, vain: 0, missed: 0 };
}

function countsCell({ right, asked, wrong, foreign, vain }: Record<Verdict, number>): string {
  return `${right}+${asked} (${wrong}/${foreign}/${vain})`;
}
