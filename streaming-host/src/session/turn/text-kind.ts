/** Classifies the caller's words: whether they are meant to interrupt (BARGE-3, BARGE-4, BARGE-13) and to be answered. */
import { consistOf } from "@voice/shared/languages/phrases";
import type { TurnPhrases } from "@voice/shared/languages/turn-phrases";

export type InterruptionKind = "none" | "backchannel" | "words";

/** A language's word lists, as questions for the turn machine. */
export interface TurnLanguage {
  readonly code: string;
  /** What people utter while they think, which needs no answer. */
  isHesitation(text: string): boolean;
  /** Words that are an answer by themselves, whatever was asked. */
  isAnswerAlone(text: string): boolean;
  interruptionKind(text: string): InterruptionKind;
  /** "Hi", and nothing else. */
  isGreeting(text: string): boolean;
}

export function turnLanguage(pack: { readonly code: string; readonly turnPhrases: TurnPhrases }): TurnLanguage {
  const known = languages.get(pack) ?? createTurnLanguage(pack.code, pack.turnPhrases);
  languages.set(pack, known);
  return known;
}

/** Settings are created for each question of an agent, the sets of a language only once. */
const languages = new WeakMap<object, TurnLanguage>();

/** In characters. The phrases in the lists are shorter by half; comparing a long text with them takes 20 µs while the caller waits. */
export const longestPhrase = 80;

function createTurnLanguage(code: string, turnPhrases: TurnPhrases): TurnLanguage {
  const hesitations = new Set(turnPhrases.hesitations);
  // A hesitation needs no answer, so it must not cut off an answer either.
  const backchannels = new Set([...turnPhrases.backchannels, ...turnPhrases.hesitations]);
  const commands = new Set(turnPhrases.commands);
  return {
    code,
    isHesitation: (text) => text.length <= longestPhrase && consistOf(toAnswerKey(text).split(" "), hesitations),
    isGreeting: isOneOf(turnPhrases.greetings),
    isAnswerAlone: isOneOf(turnPhrases.answersAlone),
    interruptionKind(text) {
      if (text.length > longestPhrase && /[\p{L}\p{N}]/u.test(text)) return "words";
      const words = toAnswerKey(text);
      if (words === "") return "none";
      if (commands.has(words)) return "words";
      return consistOf(words.split(" "), backchannels) ? "backchannel" : "words";
    },
  };
}

function isOneOf(list: readonly string[]): (text: string) => boolean {
  const phrases = new Set(list);
  return (text) => text.length <= longestPhrase && phrases.has(toAnswerKey(text));
}

/** A normalised key: texts with the same key get the same answer. */
export function toAnswerKey(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}'\s-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
