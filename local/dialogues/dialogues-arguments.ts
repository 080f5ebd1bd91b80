/** The command line of `npm run dialogues`. */
import { availableParallelism } from "node:os";
import { fliteVoices } from "@voice/local-voice/synthesiser/voices";
import { z } from "zod";
import { namesOf, wholeNumber } from "../command-line/option-kinds.ts";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { variedStyles } from "./speaking-style.ts";

/** More than this would be a load test, in which the recogniser falls behind for all of them. */
const maxParallel = 16;
/** Calls for each core: while one waits for an engine, others can be heard. */
const callsPerCore = 4;
const usualParallel = Math.min(maxParallel, callsPerCore * availableParallelism());

const help = `Holds the dialogues that stand beside the scenarios (*.dialogue.yaml) and compares the answers.

  npm run dialogues                       all of them, typed, in seconds
  npm run dialogues -- lost insurance     those with one of these words in their name or their file's
  npm run dialogues -- --scenario banking those of one scenario; --json prints a line of JSON for each
  npm run dialogues -- --transcripts      with all that was said
  npm run dialogues -- --model            answered by the language model that the settings name, instead of the rules
  npm run dialogues -- --audio lost       spoken and recognised, as fast as this machine can, four at a time for each core
  npm run dialogues -- --audio --parallel 2 --voice slt
  npm run dialogues -- --audio --varied   by several voices, slowly, fast, with pauses and in noise: a table of who is understood
  npm run dialogues -- --audio --varied --styles pauses,noise    by these only
  npm run dialogues -- --versions 0,3     typed, with published versions of the service at --url side by side; 0 is the files
                                          (--url http://localhost:8080, --token TOKEN of an operator where authentication is on)

CATALOG_DIR adds a folder of your own.`;

const options = {
  audio: z.boolean().default(false),
  parallel: wholeNumber(1, maxParallel).default(usualParallel),
  voice: z.enum(fliteVoices, `expects one of ${fliteVoices.join(", ")}`).optional(),
  model: z.boolean().default(false),
  varied: z.boolean().default(false),
  styles: namesOf(variedStyles.map(({ name }) => name)).optional(),
  scenario: z.string().optional(),
  versions: z.string().optional(),
  url: z.string().default("http://localhost:8080"),
  token: z.string().optional(),
  json: z.boolean().default(false),
  transcripts: z.boolean().default(false),
};

/** Ends the process where they make no sense. `words`: of the names of the dialogues to hold. */
export function readDialoguesArguments() {
  const tool = { name: "npm run dialogues", help, options, allowPositionals: true };
  const { values, positionals: words } = readToolArguments(tool);
  const { audio, varied, model, versions, styles } = values;
  if (varied && !audio) return refuseArguments(tool, "--varied is about how callers speak: it needs --audio");
  if (styles !== undefined && !varied) return refuseArguments(tool, "--styles needs --varied");
  if (model && audio) return refuseArguments(tool, "--model is for typed dialogues: leave --audio out");
  if (versions !== undefined && audio)
    return refuseArguments(tool, "--versions is for typed dialogues: leave --audio out");
  return {
    ...values,
    styles: styles?.flatMap((wanted) => variedStyles.find(({ name }) => name === wanted) ?? []) ?? variedStyles,
    voice: values.voice,
    words,
  };
}
