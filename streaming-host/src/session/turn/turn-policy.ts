/**
 * The differences between the modes, as data. Every rule of the turn machine is implemented once and asks the policy
 * where modes differ.
 */
export interface TurnPolicy {
  /**
   * Who decides that the caller has finished: this service, from words and silence (TURN-1 to TURN-13); the realtime service that answers;
   * or nobody, because nothing is answered.
   */
  readonly turnsEndedBy: "us" | "service" | "nobody";
  /** False: the agent has no voice. Then silence is not timed, and a farewell ends the conversation without any words. */
  readonly agentSpeaks: boolean;
  /** What follows when an apology cannot be played either, or the third answer in a row has failed (FAIL-2, FAIL-5, FAIL-6). */
  readonly afterRepeatedFailure: "say-goodbye" | "give-up-model";
}

/** MEDIA and REALTIME: recognition, language model and synthesis. */
export const cascadePolicy: TurnPolicy = {
  turnsEndedBy: "us",
  agentSpeaks: true,
  afterRepeatedFailure: "say-goodbye",
};

/** VOICE_LIVE: one service recognises, answers and speaks. */
export const realtimePolicy: TurnPolicy = {
  turnsEndedBy: "service",
  agentSpeaks: true,
  afterRepeatedFailure: "give-up-model",
};

/** TRANSCRIPTION. */
export const transcriptionPolicy: TurnPolicy = {
  turnsEndedBy: "nobody",
  agentSpeaks: false,
  afterRepeatedFailure: "say-goodbye",
};
