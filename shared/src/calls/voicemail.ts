/** What to do if an answering machine answers an outbound call. */
export const voicemailAnswers = ["ignore", "hang-up", "message"] as const;
export type VoicemailAnswer = (typeof voicemailAnswers)[number];
