/**
 * How much an agent's rules may hold. Rules come from request bodies too, and each sentence is compared with whatever a
 * caller says. The largest built-in agent has 29 intents, 243 examples, and 1,338 sentences when they are spoken out.
 */

export const maxIntents = 100;
export const maxExamplesPerIntent = 100;
export const maxSlotsPerIntent = 16;
export const maxAnswersPerSlot = 50;
/** Values of a choice, and the wordings of each. */
export const maxOptions = 200;
export const maxWordings = 20;
export const maxToolArguments = 32;
export const maxErrorsPerIntent = 32;
/** Characters of an example, an answer or a wording: twice the longest sentence that anybody says in one breath. */
export const maxSentenceCharacters = 256;
/** Characters of a sentence to say, before its template is rendered. */
export const maxTextCharacters = 2000;
export const maxNameCharacters = 64;
/** Sentences that an agent's examples make when every choice in them is spoken out. */
export const maxSpokenSentences = 5000;
/**
 * Words of those sentences together, and how many of them are different: what is said is compared with each of them while the
 * caller waits, and everybody else with the caller. The largest built-in agent has 2,546, of 256 different ones.
 */
export const maxSpokenWords = 20_000;
export const maxDifferentWords = 2000;
