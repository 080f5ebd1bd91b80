/** Worker thread entry. Recognising a sentence takes 100 to 300 ms; on the main thread that would interrupt the audio of every caller. */
import { serveJobs } from "@voice/provider-kit/worker-threads/serve-jobs";
import * as z from "zod";
import { loadMoonshine } from "./moonshine.ts";
import { openRateHz } from "./open-rate.ts";

const values = z.array(z.object({ choice: z.string(), wording: z.string() }));
const questionSchema = z.object({
  codeLengths: z.array(z.number()).optional(),
  menu: z
    .object({
      values,
      words: z.array(z.string()),
      wishes: z.array(z.object({ values, needed: z.array(z.string()) })),
    })
    .optional(),
});

const recognise = await loadMoonshine();
// The first sentence would take twice as long as the others.
recognise(new Int16Array(openRateHz));

serveJobs((samples, question) => recognise(samples, questionSchema.parse(question)));
