/**
 * Limits on an agent's rules, because rules may come from request bodies, and whatever a caller says is compared with
 * every sentence. The largest built-in agent has 29 intents and 243 examples, which expand to 1,338 sentences.
 */

export const maxIntents = 100;
export const maxExamplesPerIntent = 100;
export const maxSlotsPerIntent = 16;
export const maxAnswersPerSlot = 50;
/** Values per choice, and wordings per value. */
export const maxOptions = 200;
export const maxWordings = 20;
export const maxToolArguments = 32;
export const maxErrorsPerIntent = 32;
/** Characters of an example, an answer or a wording: twice the longest sentence that people say in one breath. */
export const maxSentenceCharacters = 256;
/** Characters of a sentence to say, before its template is rendered. */
export const maxTextCharacters = 2000;
export const maxNameCharacters = 64;
/** Sentences to which an agent's examples expand. */
export const maxSpokenSentences = 5000;
/**
 * Sentences that the local recogniser listens for: every name, and every way to correct an answer, is one more. The built-in agent
 * with the most has 1,375. Their grammar is built while other callers wait, and 24,000 take 0.7 s.
 */
export const maxRecognisedSentences = 10_000;
/**
 * The total words of the examples' sentences, and the distinct ones. What a caller says is compared with each of them while
 * that caller, and every other one on the host, waits. The largest built-in agent has 2,546 words, 256 of them
 * distinct.
 */
export const maxSpokenWords = 20_000;
export const maxDifferentWords = 2000;
