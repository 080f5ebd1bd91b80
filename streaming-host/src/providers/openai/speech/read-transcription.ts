/**
 * Reads the answer to a transcription: a stream of events, or one JSON object from servers and models that do not
 * stream. Lenient: OpenAI's deltas, vLLM's chunks and the segments of Whisper servers are all appended as text.
 */
import type OpenAI from "openai";
import { Stream } from "openai/streaming";
import { z } from "zod";

export interface Transcription {
  readonly text: string;
  /** The mean natural logarithm of the tokens' likelihoods; undefined if the server does not report it. */
  readonly meanLogprob: number | undefined;
}

const logprobs = z.array(z.object({ logprob: z.number().optional() })).optional();

const eventSchema = z.object({
  type: z.string().optional(),
  delta: z.string().optional(),
  text: z.string().optional(),
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })).optional(),
  logprobs,
});

const answerSchema = z.object({
  text: z.string(),
  logprobs,
  segments: z
    .array(z.object({ text: z.string(), avg_logprob: z.number().optional(), no_speech_prob: z.number().optional() }))
    .nullish(),
});

/** `onText` receives the text so far, each time that it has grown. */
export async function readTranscription(
  response: Response,
  client: OpenAI,
  onText: (text: string) => void,
): Promise<Transcription> {
  if (response.headers.get("content-type")?.includes("text/event-stream") === true)
    return await readEvents(response, client, onText);
  return toTranscription(answerSchema.parse(await response.json()));
}

async function readEvents(response: Response, client: OpenAI, onText: (text: string) => void): Promise<Transcription> {
  let text = "";
  let meanLogprob: number | undefined;
  for await (const raw of Stream.fromSSEResponse<unknown>(response, new AbortController(), client)) {
    const event = eventSchema.safeParse(raw).data;
    if (event === undefined) continue;
    if (event.type?.endsWith(".done") === true) {
      text = event.text ?? text;
      meanLogprob = meanOf(event.logprobs);
      continue;
    }
    const added = event.delta ?? event.choices?.[0]?.delta?.content ?? event.text ?? "";
    if (added === "") continue;
    text += added;
    onText(text.trim());
  }
  return { text: text.trim(), meanLogprob };
}

/** Whisper's own rule for silence that was transcribed as words. */
const noSpeech = { probability: 0.6, meanLogprob: -1 };

function toTranscription({ text, logprobs: tokens, segments }: z.infer<typeof answerSchema>): Transcription {
  if (segments == null || segments.length === 0) return { text: text.trim(), meanLogprob: meanOf(tokens) };
  const spoken = segments.filter(
    ({ no_speech_prob: probability = 0, avg_logprob: logprob = 0 }) =>
      probability <= noSpeech.probability || logprob >= noSpeech.meanLogprob,
  );
  return {
    text: spoken.map((segment) => segment.text.trim()).join(" "),
    meanLogprob: meanOf(spoken.map(({ avg_logprob: logprob }) => ({ logprob }))),
  };
}

function meanOf(tokens: z.infer<typeof logprobs>): number | undefined {
  const values = (tokens ?? []).flatMap(({ logprob }) => logprob ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
