/**
 * Decides whether a transcript can have been spoken. These models were trained on films and transcribe noise as text: a farewell, thanks to
 * viewers, the prompt itself. Pure.
 */

export interface HeardSegment {
  readonly text: string;
  readonly meanLogprob: number | undefined;
  /** The time from the first to the last speech of the segment. */
  readonly durationMs: number;
  /** How much of the segment the detector classified as speech. */
  readonly voicedMs: number;
  /** The names and terms that the model was sent, joined in order. */
  readonly phrases: readonly string[];
}

/** A very fast speaker says 25 letters in a second, and a detector misses the first and the last part of a word. */
const mostLettersPerSecond = 30;
const missedMs = 300;
/** Whisper's own limit, below which it does not trust its result: a probability of 37 % for each token. */
const leastMeanLogprob = -1;
/** Phrases that models produce from noise, each in the languages where that is most common. A real speaker says them audibly. */
const madeOfNoise = new Set([
  "thank you",
  "thank you very much",
  "thanks for watching",
  "thank you for watching",
  "please subscribe",
  "you",
  "bye",
  "vielen dank",
  "untertitel der amaraorg community",
  "merci davoir regardé cette vidéo",
  "soustitres réalisés par la communauté damaraorg",
  "gracias por ver el video",
  "subtítulos realizados por la comunidad de amaraorg",
]);
/** "Thank you" takes 400 ms of voice when it is really spoken. */
const leastVoicedMs = 260;
const doubtfulMeanLogprob = -0.6;
const wordsOfAnEcho = 5;

/** The text, or an empty one if it was produced from noise. */
export function plausibleSpeech({ text, meanLogprob, durationMs, voicedMs, phrases }: HeardSegment): string {
  const bare = toBare(text);
  const letters = bare.replaceAll(" ", "").length;
  if (letters === 0) return "";
  if (letters > ((durationMs + missedMs) / 1000) * mostLettersPerSecond) return "";
  if (meanLogprob !== undefined && meanLogprob < leastMeanLogprob) return "";
  const isDoubtful = voicedMs < leastVoicedMs || (meanLogprob ?? 0) < doubtfulMeanLogprob;
  if (madeOfNoise.has(bare) && isDoubtful) return "";
  return repeatsPrompt(bare, phrases) ? "" : text.trim();
}

/** True for several of the phrases in the given order; a caller may well say a single one. */
function repeatsPrompt(bare: string, phrases: readonly string[]): boolean {
  if (bare.split(" ").length < wordsOfAnEcho || phrases.some((phrase) => toBare(phrase).includes(bare))) return false;
  return toBare(phrases.join(", ")).includes(bare);
}

function toBare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
