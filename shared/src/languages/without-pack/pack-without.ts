/**
 * What the service knows of a language without a pack (LANG-2): at most its shortest answers. Its own sentences are English. English word
 * lists and sentence weights would be wrong there: "no" is "in the" in Portuguese, and "to" is "this" in Polish.
 */
import { english } from "../en/pack.ts";
import type { LanguagePack } from "../language-pack.ts";
import { international, shortPhrases } from "./short-phrases.ts";

const nothing: ReadonlySet<string> = new Set();

export function packWithout(code: string): LanguagePack {
  const { yes = [], other = [], greetings = [] } = shortPhrases[code] ?? {};
  const backchannels = merge(international.yes, yes);
  const answers = merge(backchannels, international.other, other);
  const allGreetings = merge(international.greetings, greetings);
  return {
    ...english,
    code,
    turnPhrases: {
      hesitations: international.hesitations,
      backchannels,
      commands: [],
      greetings: allGreetings,
      answersAlone: answers.filter((answer) => !international.hesitations.includes(answer)),
      everyday: [],
    },
    endOfTurn: {
      shortAnswers: new Set([...answers, ...allGreetings]),
      hesitations: new Set(international.hesitations),
      fillers: nothing,
      joints: nothing,
      carriers: nothing,
      letters: nothing,
      pronouns: { words: nothing, numeralsAfter: nothing },
    },
  };
}

function merge(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
