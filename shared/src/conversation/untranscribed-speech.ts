/**
 * The history's placeholder for an utterance that the realtime model received but that could not be transcribed, so that a model or a
 * person who continues the conversation knows that something was said.
 */
export const untranscribedSpeech = "[The caller said something here that could not be transcribed.]";
