/** Worker thread entry. A sentence takes up to 8 ms, and the examples of an agent a second or more; on the main thread that would interrupt callers' audio. */
import { serveJobs } from "@voice/provider-kit/worker-threads/serve-jobs";
import * as z from "zod";
import { loadSentenceEncoder } from "./universal-sentence-encoder.ts";

const sentencesSchema = z.array(z.string());

const encode = await loadSentenceEncoder();

serveJobs((_samples, sentences) => encode(sentencesSchema.parse(sentences)));
