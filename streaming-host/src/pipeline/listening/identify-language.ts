/**
 * In which of a few languages a text is written, for recognisers and realtime models that do not tell. By its n-grams (`eld`); of short
 * everyday sentences in four languages it was right about 37 of 40, and wrong only about greetings of one or two words.
 */
import { primaryLanguage } from "@voice/shared/languages/packs";

interface Detector {
  detect(text: string): { getScores(): Record<string, number> };
}

let detector: Detector | undefined;
let loading: Promise<void> | undefined;

/** Half a second and 90 MB, once, so only where somebody may change their language. Until it is there, no text is identified. */
export function loadLanguages(): Promise<void> {
  return (loading ??= load());
}

async function load(): Promise<void> {
  ({ eld: detector } = await import("eld/extrasmall"));
}

/** One of `languages`, or undefined if the text is like none of them. */
export function identifyLanguage(text: string, languages: readonly string[]): string | undefined {
  const scores = detector?.detect(text).getScores() ?? {};
  const scoreOf = (language: string): number => scores[primaryLanguage(language)] ?? 0;
  const [likeliest] = languages.toSorted((one, other) => scoreOf(other) - scoreOf(one));
  return likeliest === undefined || scoreOf(likeliest) === 0 ? undefined : likeliest;
}
