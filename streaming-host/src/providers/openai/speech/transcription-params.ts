/**
 * The parameters that are sent with the audio. Servers that speak the protocol accept different ones, depending on the
 * model's name.
 */
import type { RecognitionHints, RecognitionOptions } from "@voice/provider-kit/ports/recogniser";

/** What a request may contain beyond the audio, the model and the language. */
export type TranscriptionDialect = "keywords" | "likelihoods" | "segments" | "plain";

/** A prompt is meant for names; with a longer one, models tend to repeat it instead of transcribing. */
const mostPhrases = 60;

/** `gpt-transcribe` accepts keywords, its predecessors report the probability of each token, and Whisper that of each segment. */
export function dialectOf(model: string): TranscriptionDialect {
  if (/gpt-transcribe/i.test(model)) return "keywords";
  return /gpt-.*transcribe/i.test(model) ? "likelihoods" : "segments";
}

export type HeardIn = Pick<RecognitionOptions, "language" | "candidateLanguages"> & {
  readonly hints: Pick<RecognitionHints, "phrases" | "language">;
};

export interface TranscriptionParams {
  readonly stream?: true;
  readonly language?: string;
  readonly languages?: string[];
  readonly keywords?: string[];
  readonly prompt?: string;
  readonly include?: "logprobs"[];
  readonly response_format: "json" | "verbose_json";
  readonly temperature?: number;
}

export function toTranscriptionParams(heard: HeardIn, dialect: TranscriptionDialect): TranscriptionParams {
  const languages = [...new Set([heard.hints.language ?? heard.language, ...heard.candidateLanguages].map(toIso639))];
  const [language] = languages;
  const known = languages.length === 1 && language !== undefined ? { language } : {};
  const prompt = promptOf(heard);
  const prompted = prompt === "" ? {} : { prompt };
  switch (dialect) {
    case "keywords": {
      const keywords = heard.hints.phrases.slice(0, mostPhrases);
      return { response_format: "json", stream: true, languages, ...(keywords.length > 0 && { keywords }) };
    }
    case "likelihoods":
      return { response_format: "json", stream: true, include: ["logprobs"], ...known, ...prompted };
    case "segments":
      return { response_format: "verbose_json", temperature: 0, ...known, ...prompted };
    case "plain":
      return { response_format: "json", ...known, ...prompted };
  }
}

/** Names and terms in the form that Whisper and its successors accept: text that could have preceded the audio. */
export function promptOf({ hints: { phrases } }: Pick<HeardIn, "hints">): string {
  return phrases.slice(0, mostPhrases).join(", ");
}

/** `en-US` becomes `en`. */
function toIso639(language: string): string {
  return language.split("-", 1)[0]?.toLowerCase() ?? language;
}
