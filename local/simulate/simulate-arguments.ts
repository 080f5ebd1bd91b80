/** The command line of `npm run simulate`. */
import { z } from "zod";
import { wholeNumber } from "../command-line/option-kinds.ts";
import { readToolArguments } from "../command-line/tool-arguments.ts";

export const simulateHelp = `Has a model play callers, and checks and judges how the agents did (docs/evals.md).

  npm run simulate -- --persona impatient,confused,hostile,chatty --scenario banking --sessions 20

  --scenario NAME       whose goals and rubric (default)
  --persona NAME,…      who calls (all)
  --goal WORDS          only goals with these words in their name
  --sessions N          how many in all (one for each persona and goal)
  --parallel N          at a time (4)
  --voice               callers speak, and are heard by the recogniser that the settings name
  --seed N              made-up customers that the number determines; passed to the callers' and the judge's model
  --caller-model NAME   who plays callers (EVAL_CALLER_MODEL; the agents' model)
  --judge-model NAME    who judges (EVAL_JUDGE_MODEL; the agents' model)
  --max-cost AMOUNT     begin no session once so much is spent; needs PRICES_FILE
  --out FOLDER          where report.html and report.json go (out/simulate)
  --baseline FILE       compare with this run: the exit code is 1 if a criterion fell, and not if a session failed
  --save-baseline FILE  write this run's figures to compare later ones with
  --versions A,B        published versions of the service at --url, one after the other, each compared with the one before it;
                        0 is the catalog's files. Their reports go to version-A and version-B in the folder of --out
  --url URL             the service that has them (http://localhost:8080)
  --token TOKEN         of one of its operators; where authentication is on
  --evals FOLDER        personas/ and scenarios/ of your own, beside the built-in ones

The agents' model is the one that the settings name. Callers and judge are asked at EVAL_BASE_URL with EVAL_API_KEY;
without them at OPENAI_BASE_URL with OPENAI_API_KEY.`;

const options = {
  scenario: z.string().default("default"),
  persona: z
    .string()
    .transform((names) => names.split(",").flatMap((name) => name.trim() || []))
    .refine((names) => names.length > 0, "expects names with commas between them")
    .optional(),
  goal: z.string().optional(),
  sessions: wholeNumber(1, 2000).optional(),
  parallel: wholeNumber(1, 32).default(4),
  voice: z.boolean().default(false),
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  "caller-model": z.string().optional(),
  "judge-model": z.string().optional(),
  "max-cost": z.coerce.number("expects an amount").positive("expects an amount").optional(),
  out: z.string().default("out/simulate"),
  baseline: z.string().optional(),
  "save-baseline": z.string().optional(),
  versions: z.string().optional(),
  url: z.string().default("http://localhost:8080"),
  token: z.string().optional(),
  evals: z.string().optional(),
};

export type SimulateArguments = z.infer<z.ZodObject<typeof options>>;

export function readSimulateArguments(): SimulateArguments {
  return readToolArguments({ name: "npm run simulate", help: simulateHelp, options }).values;
}
