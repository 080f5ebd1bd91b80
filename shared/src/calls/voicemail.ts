/** What to do when an answering machine takes an outbound call. */
export const voicemailAnswers = ["ignore", "hang-up", "message"] as const;
export type VoicemailAnswer = (typeof voicemailAnswers)[number];
