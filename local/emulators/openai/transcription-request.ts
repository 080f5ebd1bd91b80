/**
 * Parses a transcription request as the service does: a form with a WAV file and the parameters that each kind of model
 * accepts (`openai` 7.59, resources/audio/transcriptions.d.ts, `TranscriptionCreateParamsBase`).
 */
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { WavAudio } from "@voice/provider-kit/audio/wav";
import { z } from "zod";

const formSchema = z.strictObject({
  model: z.string().min(1),
  file: z.instanceof(File),
  language: z.string().length(2).optional(),
  languages: z.array(z.string().length(2)).optional(),
  keywords: z.array(z.string().min(1)).optional(),
  prompt: z.string().optional(),
  include: z.array(z.literal("logprobs")).optional(),
  response_format: z.enum(["json", "verbose_json"]).default("json"),
  temperature: z.coerce.number().min(0).max(1).optional(),
  stream: z.literal("true").optional(),
});

export type TranscriptionRequest = Omit<z.infer<typeof formSchema>, "file"> & { readonly audio: WavAudio };

/** Parameters that only some models accept. */
const takenBy: Readonly<Record<string, RegExp>> = {
  keywords: /^gpt-transcribe/,
  languages: /^gpt-transcribe/,
  include: /^gpt-4o/,
};

/** Resolves to the request, or to the name of the parameter that is wrong. */
export async function readTranscriptionRequest(form: FormData): Promise<TranscriptionRequest | string> {
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    if (name.endsWith("[]")) fields[name.slice(0, -2)] = values;
    else fields[name] = values[0];
  }
  const parsed = formSchema.safeParse(fields);
  if (!parsed.success) return String(parsed.error.issues[0]?.path[0] ?? "form");
  const { file, ...request } = parsed.data;
  const untaken = Object.keys(request).find((name) => takenBy[name]?.test(request.model) === false);
  if (untaken !== undefined) return untaken;
  if (request.response_format === "verbose_json" && request.model.startsWith("gpt-")) return "response_format";
  // The service tells the format from the file's name.
  if (!file.name.endsWith(".wav")) return "file";
  return { ...request, audio: decodeWav(new Uint8Array(await file.arrayBuffer())) };
}
