/**
 * Limits on an agent's rules, because rules may come from request bodies, and whatever a caller says is compared with
 * every sentence. The largest built-in agent has 29 intents and 243 examples.
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
/**
 * An agent's examples, the answers to its questions with every way to correct them, and the wordings of its choices. The built-in agent with
 * the most has 436.
 */
export const maxSpokenSentences = 5000;
/**
 * The total words of all these, and the distinct ones. What a caller says is compared with each of them while that caller, and every other
 * one on the host, waits. The largest built-in agent has 1,903 words, 313 of them distinct.
 */
export const maxSpokenWords = 20_000;
export const maxDifferentWords = 2000;
