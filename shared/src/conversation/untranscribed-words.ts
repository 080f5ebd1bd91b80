/**
 * What stands in the history for words of the caller's that the realtime model heard and nobody could transcribe, so that a model or a
 * person who goes on with the conversation knows that something was said.
 */
export const untranscribedWords = "[The caller said something here that could not be transcribed.]";
