/**
 * Reads the response to a transcription request: a stream of events, one JSON object from servers and models that do not stream, or plain
 * text from servers that ignore the requested format. Lenient about the form of the text: OpenAI's deltas, vLLM's chunks and the segments
 * of Whisper servers are all appended. Strict about its presence: a caller who said nothing gives an empty text, and a response without any
 * text field is an error.
 */
import { errorCodeIn } from "@voice/provider-kit/speech-answer/base64-audio";
import { withoutAnnotations } from "@voice/provider-kit/recognition/without-annotations";
import { explainedError } from "@voice/shared/platform/errors";
import type { VoiceError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { parseJson } from "@voice/shared/platform/parse-json";
import type OpenAI from "openai";
import { Stream } from "openai/streaming";
import { z } from "zod";

export interface Transcription {
  readonly text: string;
  /** The mean natural logarithm of the tokens' probabilities; undefined if the server does not report it. */
  readonly meanLogprob: number | undefined;
  /** ISO 639-1, if the server says which one it heard. Whisper's servers name it in English. */
  readonly language?: string | undefined;
}

const number = z.number().nullish().catch(undefined);
const logprobs = z
  .array(z.object({ logprob: number }))
  .nullish()
  .catch(undefined);

const language = z.string().min(1).nullish().catch(undefined);
const languages = z
  .array(z.object({ code: z.string() }))
  .nullish()
  .catch(undefined);

const eventSchema = z.object({
  type: z.string().optional(),
  delta: z.string().optional(),
  text: z.string().optional(),
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional() })).optional(),
  logprobs,
  languages,
});

const segmentList = z.array(z.object({ text: z.string(), avg_logprob: number, no_speech_prob: number }));
const answerSchema = z.object({
  text: z.string().nullish().catch(undefined),
  logprobs,
  language,
  languages,
  // whisperX servers wrap the list in an object of the same name.
  segments: z
    .union([segmentList, z.object({ segments: segmentList }).transform(({ segments }) => segments)])
    .nullish()
    .catch(undefined),
});

/** `onText` receives the text so far, each time that it has grown. Rejects with a `VoiceError` if the response contains no text. */
export async function readTranscription(
  response: Response,
  client: OpenAI,
  onText: (text: string) => void,
): Promise<Transcription> {
  const contentType = response.headers.get("content-type")?.toLowerCase() ?? "";
  const read = contentType.includes("text/event-stream")
    ? await readEvents(response, client, onText)
    : readWhole(await response.text(), contentType);
  return { ...read, text: withoutAnnotations(read.text) };
}

async function readEvents(response: Response, client: OpenAI, onText: (text: string) => void): Promise<Transcription> {
  let text: string | undefined;
  let meanLogprob: number | undefined;
  let heardIn: string | undefined;
  for await (const raw of Stream.fromSSEResponse<unknown>(response, new AbortController(), client)) {
    const event = eventSchema.safeParse(raw).data;
    if (event === undefined) continue;
    if (event.type?.endsWith(".done") === true) {
      text = event.text ?? text;
      meanLogprob = meanOf(event.logprobs);
      heardIn = languageOf(event);
      continue;
    }
    const added = event.delta ?? event.choices?.[0]?.delta?.content ?? event.text;
    if (added === undefined) continue;
    text = (text ?? "") + added;
    const words = withoutAnnotations(text);
    if (added !== "" && words !== "") onText(words);
  }
  if (text === undefined) throw notKnown("events without words");
  return { text, meanLogprob, language: heardIn };
}

function readWhole(body: string, contentType: string): Transcription {
  const bare = body.replace(/^\uFEFF/, "").trim();
  if (body === "") throw notKnown("nothing");
  const json = parseJson(bare);
  if (typeof json === "string") return { text: json, meanLogprob: undefined };
  const answer = answerSchema.safeParse(json).data;
  if (answer !== undefined) return toTranscription(answer, json);
  if (/^[{["<]/.test(bare) && !/^\[[^\]"{]*\]/.test(bare))
    throw notKnown(bare.startsWith("<") ? "HTML" : "JSON that is cut off or is not an object");
  // Some servers respond with `response_format: text`, `srt` or `vtt` whatever was requested.
  if (/^(?:text\/(?!html)|application\/x-subrip|$)/.test(contentType)) return { text: bare, meanLogprob: undefined };
  throw notKnown(contentType === "" ? "something that is no JSON" : wordsOf(contentType));
}

/** Whisper's own rule for silence that was transcribed as text. */
const noSpeech = { probability: 0.6, meanLogprob: -1 };

function toTranscription(answer: z.infer<typeof answerSchema>, json: unknown): Transcription {
  const { text, logprobs: tokens, segments } = answer;
  const heardIn = languageOf(answer);
  if (segments == null || segments.length === 0) {
    if (text == null) throw notKnown("JSON without a text", errorCodeIn(json));
    return { text, meanLogprob: meanOf(tokens), language: heardIn };
  }
  const spoken = segments.filter(
    ({ no_speech_prob: probability, avg_logprob: logprob }) =>
      (probability ?? 0) <= noSpeech.probability || (logprob ?? 0) >= noSpeech.meanLogprob,
  );
  return {
    text: spoken.map((segment) => segment.text.trim()).join(" "),
    meanLogprob: meanOf(spoken.map(({ avg_logprob: logprob }) => ({ logprob }))),
    language: heardIn,
  };
}

/** `{ languages: [{ code: "de" }] }` of gpt-transcribe, `{ language: "german" }` of whisper-1, `{ language: "de" }` of most other servers. */
function languageOf(answer: {
  readonly language?: string | null | undefined;
  readonly languages?: readonly { readonly code: string }[] | null | undefined;
}): string | undefined {
  const named = answer.languages?.[0]?.code ?? answer.language ?? undefined;
  return named === undefined ? undefined : (codeOfName().get(named.toLowerCase()) ?? named.toLowerCase());
}

let codes: ReadonlyMap<string, string> | undefined;

/** `german` to `de`, for every language that has two letters. */
function codeOfName(): ReadonlyMap<string, string> {
  if (codes !== undefined) return codes;
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  codes = new Map(
    letters.flatMap((one) =>
      letters.flatMap((other): [string, string][] => {
        const name = names.of(one + other);
        return name === undefined ? [] : [[name.toLowerCase(), one + other]];
      }),
    ),
  );
  return codes;
}

function meanOf(tokens: z.infer<typeof logprobs>): number | undefined {
  const values = (tokens ?? []).flatMap(({ logprob }) => logprob ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function notKnown(what: string, code?: unknown): VoiceError {
  const word = wordOf(code);
  return explainedError(
    "upstream_unavailable",
    `speech recognition answered ${what} in place of a text${word === undefined ? "" : ` (code ${word})`}`,
  );
}

/** Only a media type, never something that was spoken. */
const wordsOf = (contentType: string): string => /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? "something else";
