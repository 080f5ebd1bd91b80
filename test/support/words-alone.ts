/**
 * The network that compares meanings takes seconds of a core for each start of a service, and callers in tests say what agents have as examples.
 * Tests of it are in test/engines/meaning.test.ts and test/integration/language-models.test.ts; `npm start` has it in test/integration/start.test.ts.
 */
export const wordsAlone = { LOCAL_SENTENCE_MEANING: "false" };

/** For settings that were read already. */
export const withWordsAlone = { localSentenceMeaning: false };
